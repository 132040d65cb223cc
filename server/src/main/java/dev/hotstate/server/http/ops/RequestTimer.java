package dev.hotstate.server.http.ops;

import dev.hotstate.server.http.RequestObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Times requests by method, route template and status: as many meters as the API has calls, whatever is called. */
public final class RequestTimer implements RequestObserver {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    private final MeterRegistry registry;
    private final Map<Call, Timer> timers = new ConcurrentHashMap<>();

    private record Call(String method, String route, int status) {}

    public RequestTimer(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void answered(Answered request) {
        var call = new Call(request.method(), request.route(), request.status());
        timers.computeIfAbsent(call, this::timer).record(request.took());
    }

    private Timer timer(Call call) {
        return Timer.builder("http.server.requests")
                .description("Requests by route template; streams count with their whole life.")
                .tag("method", call.method())
                .tag("route", call.route())
                .tag("status", String.valueOf(call.status()))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }
}
