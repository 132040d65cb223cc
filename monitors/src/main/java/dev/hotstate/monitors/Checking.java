package dev.hotstate.monitors;

import dev.hotstate.core.Due;
import dev.hotstate.core.Durations;
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

    static Outcome missed(Monitor monitor) {
        String grace = Durations.print(monitor.patience());
        return Outcome.failed(Duration.ZERO, "no ping came in time, nor within the grace of " + grace, false);
    }

    private static Optional<Due> nextByCron(Monitor.Push push, Instant now) {
        return Optional.ofNullable(push.cron())
                .flatMap(cron -> cron.next(now))
                .map(time -> Due.at(time.plus(push.grace())));
    }
}
