package dev.hotstate.monitors;

import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.monitors.check.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks, failures, and how long after their time checks began, on this instance. */
final class CheckMeters {
    private final MeterRegistry registry;
    private final Timer lag;

    CheckMeters(MeterRegistry registry) {
        this.registry = registry;
        this.lag = Timer.builder("hotstate.monitors.check.lag")
                .description("from the time a check was due until it began")
                .publishPercentiles(0.5, 0.99)
                .register(registry);
    }

    void checked(CheckType type, Outcome outcome, @Nullable Duration late) {
        Timer.builder("hotstate.monitors.checks")
                .description("checks by type and result, and how long their targets took")
                .tag("type", type.word())
                .tag("result", outcome.ok() ? "passed" : "failed")
                .register(registry)
                .record(outcome.latency());
        if (!outcome.ok()) {
            Counter.builder("hotstate.monitors.failures")
                    .description("checks that failed, whether they counted or not")
                    .register(registry)
                    .increment();
        }
        if (late != null && !late.isNegative()) {
            lag.record(late);
        }
    }
}
