package dev.hotstate.monitors;

import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.monitors.check.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks, failures, and how long after their time checks began, on this instance. */
final class CheckMeters {
    private final Map<CheckType, Results> results = new EnumMap<>(CheckType.class);
    private final Counter failures;
    private final Counter postponed;
    private final Counter dropped;
    private final Timer lag;

    CheckMeters(MeterRegistry registry) {
        for (CheckType type : CheckType.values()) {
            results.put(type, new Results(timer(registry, type, "passed"), timer(registry, type, "failed")));
        }
        this.failures = Counter.builder("hotstate.monitors.failures")
                .description("checks that failed, whether they counted or not")
                .register(registry);
        this.postponed = Counter.builder("hotstate.monitors.checks.postponed")
                .description(
                        "checks put off by a second or so since their host had as many as it may; no lag tells of that")
                .register(registry);
        this.dropped = Counter.builder("hotstate.monitors.outages.dropped")
                .description("outages that were over and will not be told, since too many of their monitor waited")
                .register(registry);
        this.lag = Timer.builder("hotstate.monitors.check.lag")
                .description("from the time a check was due until it began")
                .publishPercentiles(0.5, 0.99)
                .register(registry);
    }

    private record Results(Timer passed, Timer failed) {}

    private static Timer timer(MeterRegistry registry, CheckType type, String result) {
        return Timer.builder("hotstate.monitors.checks")
                .description("checks by type and result, and how long their targets took")
                .tag("type", type.word())
                .tag("result", result)
                .register(registry);
    }

    void postponed() {
        postponed.increment();
    }

    void dropped() {
        dropped.increment();
    }

    void checked(CheckType type, Outcome outcome, @Nullable Duration late) {
        Results ofType = Objects.requireNonNull(results.get(type));
        (outcome.ok() ? ofType.passed() : ofType.failed()).record(outcome.latency());
        if (!outcome.ok()) {
            failures.increment();
        }
        if (late != null && !late.isNegative()) {
            lag.record(late);
        }
    }
}
