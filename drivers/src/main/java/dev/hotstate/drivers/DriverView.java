package dev.hotstate.drivers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A driver as it is now.
 *
 * @param lat as Redis keeps it, within 0.6 m of what was sent; null before the first fix
 * @param at when it was there by its own account
 * @param seenAt when it was last heard of
 * @param since when its status last changed
 * @param reservedUntil null where it is not reserved
 */
public record DriverView(
        String id,
        Status status,
        String region,
        Profile profile,
        @Nullable Double lat,
        @Nullable Double lon,
        @Nullable Double heading,
        @Nullable Double speed,
        @Nullable Long seq,
        @Nullable Instant at,
        @Nullable Instant seenAt,
        @Nullable Instant since,
        @Nullable Instant reservedUntil) {}
