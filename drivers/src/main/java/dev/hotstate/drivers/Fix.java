package dev.hotstate.drivers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a driver says it is.
 *
 * @param seq orders a driver's fixes where it and the last one both have it; else {@code at} does
 * @param at when it was there by its own clock; null is now, by Redis's
 * @param heading in degrees from north, 0 to 360
 * @param speed in km/h
 */
public record Fix(
        String id,
        double lat,
        double lon,
        @Nullable Long seq,
        @Nullable Instant at,
        @Nullable Double heading,
        @Nullable Double speed) {
    public static Fix of(String id, double lat, double lon) {
        return new Fix(id, lat, lon, null, null, null, null);
    }
}
