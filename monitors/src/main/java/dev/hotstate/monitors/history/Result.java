package dev.hotstate.monitors.history;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One outcome as history keeps it.
 *
 * @param at when it was recorded, by Redis's clock, in whole milliseconds
 * @param standsFor for how long it tells how the monitor is, if no other result follows: until it is stale. In whole
 *     seconds
 * @param down whether the monitor counts as down after it; a failed check below the threshold does not
 * @param maintenance whether a window covered it, so that uptime leaves it out
 */
public record Result(
        String monitor,
        Instant at,
        Duration standsFor,
        boolean ok,
        boolean down,
        boolean maintenance,
        long latencyMs,
        @Nullable Integer statusCode,
        @Nullable String error) {

    public Result {
        if (standsFor.isNegative() || standsFor.isZero()) {
            throw new IllegalArgumentException("standsFor must be positive, not " + standsFor);
        }
        if (latencyMs < 0) {
            throw new IllegalArgumentException("latencyMs must not be negative, not " + latencyMs);
        }
        at = at.truncatedTo(ChronoUnit.MILLIS);
        standsFor = Duration.ofSeconds(standsFor.plusNanos(999_999_999).toSeconds());
    }
}
