package dev.hotstate.monitors;

import dev.hotstate.core.Due;
import dev.hotstate.monitors.check.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the next turn of a monitor is: an interval by its phase, or for a push monitor the time by which it must report. */
final class Checking {
    private Checking() {}

    /** When a push monitor's job must have reported, if it reports now; null for a monitor that is asked. */
    static @Nullable Due afterReport(Monitor monitor, Instant now) {
        Monitor.Push push = monitor.push();
        if (push == null) {
            return null;
        }
        return nextByCron(push, now).orElseGet(() -> Due.in(monitor.interval().plus(push.grace())));
    }

    /** When to look again after a report was missed. */
    static @Nullable Due afterMiss(Monitor monitor, Instant now) {
        Monitor.Push push = monitor.push();
        return push == null ? null : nextByCron(push, now).orElseGet(() -> Due.in(monitor.interval()));
    }

    static Outcome missed(Monitor monitor, @Nullable Instant startedAt) {
        Duration grace = monitor.patience();
        String what = startedAt == null
                ? "no ping came in time"
                : "it began at " + startedAt + " and did not end within its grace of " + grace.toSeconds() + " s";
        return Outcome.failed(Duration.ZERO, what, false);
    }

    private static Optional<Due> nextByCron(Monitor.Push push, Instant now) {
        return Optional.ofNullable(push.cron())
                .flatMap(cron -> cron.next(now))
                .map(time -> Due.at(time.plus(push.grace())));
    }
}
