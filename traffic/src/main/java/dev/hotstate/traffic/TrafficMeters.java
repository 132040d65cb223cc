package dev.hotstate.traffic;

import io.micrometer.core.instrument.AbstractTimer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.NoopHistogram;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.noop.NoopCounter;
import io.micrometer.core.instrument.noop.NoopDistributionSummary;
import io.micrometer.core.instrument.noop.NoopFunctionCounter;
import io.micrometer.core.instrument.noop.NoopFunctionTimer;
import io.micrometer.core.instrument.noop.NoopGauge;
import io.micrometer.core.instrument.noop.NoopMeter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bridge for applications whose framework times its requests with Micrometer: add it to the composite registry.
 *
 * <pre>{@code
 * Metrics.addRegistry(new TrafficMeters(traffic.recorder()));
 * }</pre>
 *
 * Timers named {@value #REQUESTS} with the tags {@code method}, {@code uri} (or {@code route}) and {@code status} are
 * counted; every other meter is ignored. A request whose route or status is unknown ({@code UNKNOWN}, {@code None}) counts
 * as unmatched, or as 200 where only its status is not told. A timer does not tell where a request came from, so requests
 * from this machine itself count too, unlike at the other doors.
 */
public final class TrafficMeters extends MeterRegistry {
    static final String REQUESTS = "http.server.requests";
    private static final int UNTOLD_STATUS = 200;

    private final Recorder recorder;

    public TrafficMeters(Recorder recorder) {
        super(Clock.SYSTEM);
        this.recorder = recorder;
        config().meterFilter(MeterFilter.denyUnless(id -> id.getName().equals(REQUESTS)));
    }

    @Override
    protected Timer newTimer(Meter.Id id, DistributionStatisticConfig statistics, PauseDetector pauses) {
        return new RequestTimer(id, pauses);
    }

    /** Counts each request under the endpoint and status that its meter's tags name. */
    private final class RequestTimer extends AbstractTimer {
        private final String method;
        private final String route;
        private final int status;
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        RequestTimer(Meter.Id id, PauseDetector pauses) {
            super(id, Clock.SYSTEM, pauses, TimeUnit.NANOSECONDS, NoopHistogram.INSTANCE);
            this.method = tag(id, "method");
            this.route = route(tag(id, id.getTag("uri") == null ? "route" : "uri"));
            this.status = status(tag(id, "status"));
        }

        @Override
        protected void recordNonNegative(long amount, TimeUnit unit) {
            count.increment();
            nanos.add(unit.toNanos(amount));
            recorder.record(method, route, status, Duration.ofNanos(unit.toNanos(amount)));
        }

        @Override
        public long count() {
            return count.sum();
        }

        @Override
        public double totalTime(TimeUnit unit) {
            return (double) nanos.sum() / unit.toNanos(1);
        }

        /** Not kept: the traffic's own windows tell the slowest. */
        @Override
        public double max(TimeUnit unit) {
            return 0;
        }
    }

    @Override
    protected <T> Gauge newGauge(Meter.Id id, @Nullable T object, ToDoubleFunction<T> value) {
        return new NoopGauge(id);
    }

    @Override
    protected Counter newCounter(Meter.Id id) {
        return new NoopCounter(id);
    }

    @Override
    protected DistributionSummary newDistributionSummary(
            Meter.Id id, DistributionStatisticConfig statistics, double scale) {
        return new NoopDistributionSummary(id);
    }

    @Override
    protected Meter newMeter(Meter.Id id, Meter.Type type, Iterable<Measurement> measurements) {
        return new NoopMeter(id);
    }

    @Override
    protected <T> FunctionTimer newFunctionTimer(
            Meter.Id id, T object, ToLongFunction<T> count, ToDoubleFunction<T> total, TimeUnit unit) {
        return new NoopFunctionTimer(id);
    }

    @Override
    protected <T> FunctionCounter newFunctionCounter(Meter.Id id, T object, ToDoubleFunction<T> count) {
        return new NoopFunctionCounter(id);
    }

    @Override
    protected TimeUnit getBaseTimeUnit() {
        return TimeUnit.MILLISECONDS;
    }

    @Override
    protected DistributionStatisticConfig defaultHistogramConfig() {
        return DistributionStatisticConfig.NONE;
    }

    private static String tag(Meter.Id id, String name) {
        return Objects.requireNonNullElse(id.getTag(name), "");
    }

    /** Frameworks write {@code UNKNOWN}, {@code NOT_FOUND}, {@code REDIRECTION} or {@code /**} where no route fits. */
    private static String route(String tag) {
        return tag.equals("/**") ? Endpoints.UNMATCHED : Endpoints.routeOrUnmatched(tag);
    }

    private static int status(String tag) {
        try {
            int status = Integer.parseInt(tag);
            return status < 100 || status > 599 ? UNTOLD_STATUS : status;
        } catch (NumberFormatException untold) {
            return UNTOLD_STATUS;
        }
    }
}
