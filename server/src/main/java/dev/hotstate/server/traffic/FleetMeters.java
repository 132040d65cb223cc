package dev.hotstate.server.traffic;

import dev.hotstate.core.HotstateException;
import dev.hotstate.traffic.Summary;
import dev.hotstate.traffic.Traffic;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The fleet's traffic for Prometheus. Every instance tells the same, so a query takes the {@code max} over them, not the
 * sum. Redis is asked at most once a second, and only when somebody scrapes; while it is away the figures are NaN.
 */
final class FleetMeters {
    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private final Traffic traffic;
    private @Nullable Summary last;
    private long lastAt;

    FleetMeters(Traffic traffic) {
        this.traffic = traffic;
        this.lastAt = System.nanoTime() - FRESH;
    }

    void bindTo(MeterRegistry meters) {
        counter(
                meters,
                "requests",
                "Requests of the whole fleet since ever.",
                now -> now.requests().total());
        counter(
                meters,
                "accepted",
                "Those of them that were not refused with 429 or 503.",
                now -> now.requests().accepted());
        counter(meters, "errors", "Those of them that were answered with 400 or above.", Summary::errors);
        gauge(
                meters,
                "speed",
                "Requests a second of the whole fleet.",
                now -> now.requests().speedPerSecond());
        gauge(
                meters,
                "connections",
                "Open connections of the whole fleet.",
                now -> now.connections().current());
        gauge(meters, "instances", "Instances that were heard of lately.", Summary::instances);
        gauge(
                meters,
                "response.p50.seconds",
                "Half of the last hour's requests took at most this.",
                now -> seconds(now.responses().p50()));
        gauge(
                meters,
                "response.p99.seconds",
                "99 % of the last hour's requests took at most this.",
                now -> seconds(now.responses().p99()));
    }

    /** Micrometer holds what it counts by a weak reference; the gauges beside it keep this one alive. */
    private void counter(MeterRegistry meters, String name, String description, ToDoubleFunction<Summary> figure) {
        FunctionCounter.builder("hotstate.traffic." + name, this, fleet -> fleet.read(figure))
                .description(description)
                .register(meters);
    }

    private void gauge(MeterRegistry meters, String name, String description, ToDoubleFunction<Summary> figure) {
        Gauge.builder("hotstate.traffic." + name, () -> read(figure))
                .description(description)
                .register(meters);
    }

    private synchronized double read(ToDoubleFunction<Summary> figure) {
        if (System.nanoTime() - lastAt >= FRESH) {
            last = ask();
            lastAt = System.nanoTime();
        }
        return last == null ? Double.NaN : figure.applyAsDouble(last);
    }

    private @Nullable Summary ask() {
        try {
            return traffic.summary();
        } catch (HotstateException away) {
            return null;
        }
    }

    private static double seconds(@Nullable Double ms) {
        return ms == null ? Double.NaN : ms / 1000;
    }
}
