package dev.hotstate.monitors.history;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * How a monitor was on a day of UTC.
 *
 * @param uptime in percent of the known time; null where nothing is known
 * @param down for how long it was down, outside of maintenance
 */
public record Day(String monitor, LocalDate date, @Nullable Double uptime, Duration down) {
    static Day of(String monitor, long start, Tally tally) {
        LocalDate date = LocalDate.ofInstant(Instant.ofEpochMilli(start), ZoneOffset.UTC);
        return new Day(monitor, date, tally.uptime(), Duration.ofMillis(tally.downMs()));
    }

    public boolean isKnown() {
        return uptime != null;
    }

    /** In minutes, of which one that has begun is whole, so that no outage looks like none. */
    public long downMinutes() {
        return down.plusMinutes(1).minusNanos(1).toMinutes();
    }
}
