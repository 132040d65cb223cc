package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
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
    public static final double MOST_RADIUS = 500_000;
    public static final int MOST = 1_000;

    /** @throws dev.hotstate.core.InvalidDocumentException naming each field that does not fit */
    public Search {
        Flaws flaws = Ranges.radius(Ranges.place(new Flaws(), lat, lon), radius);
        Ranges.tag(flaws.range("limit", limit, 1, MOST), "tag", tag).refuse();
    }

    public enum Order {
        DISTANCE,
        SCORE
    }
}
