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
        return monitor.push() == null ? null : Due.at(deadline(monitor, monitor.push(), now));
    }

    /** When to look again after a report was missed. */
    static @Nullable Due afterMiss(Monitor monitor, Instant now) {
        Monitor.Push push = monitor.push();
        if (push == null) {
            return null;
        }
        return Due.at(push.cron() == null ? now.plus(monitor.interval()) : deadline(monitor, push, now));
    }

    /** When the next report must have come after one that came then. */
    static Instant deadline(Monitor monitor, Monitor.Push push, Instant last) {
        return Optional.ofNullable(push.cron())
                .flatMap(cron -> cron.next(last))
                .orElseGet(() -> last.plus(monitor.interval()))
                .plus(push.grace());
    }

    static Outcome missed(Monitor monitor) {
        String grace = Durations.print(monitor.patience());
        return Outcome.failed(Duration.ZERO, "no ping came in time, nor within the grace of " + grace, false);
    }
}
