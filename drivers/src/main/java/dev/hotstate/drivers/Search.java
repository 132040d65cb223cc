package dev.hotstate.drivers;

import org.jspecify.annotations.Nullable;

/**
 * Who is free around here?
 *
 * @param radius in metres, at most 500,000
 * @param limit at most 1,000
 * @param tag only those that have it
 */
public record Search(
        double lat,
        double lon,
        double radius,
        int limit,
        @Nullable String tag,
        Order order) {
    public enum Order {
        DISTANCE,
        SCORE
    }
}
