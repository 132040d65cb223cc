package dev.hotstate.monitors.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One outcome as history keeps it.
 *
 * @param at when it was recorded, by Redis's clock
 * @param down whether the monitor counts as down after it; a failed check below the threshold does not
 * @param maintenance whether a window covered it, so that uptime leaves it out
 */
public record Result(
        String monitor,
        Instant at,
        boolean ok,
        boolean down,
        boolean maintenance,
        long latencyMs,
        @Nullable Integer statusCode,
        @Nullable String error) {}
