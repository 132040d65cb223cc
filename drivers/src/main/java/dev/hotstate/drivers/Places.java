package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
import dev.hotstate.drivers.Region.Point;

/** What is a place here: Redis's GEO sets end at 85.05112878 degrees of latitude. */
final class Places {
    private static final double MOST_LON = 180;

    private Places() {}

    static void check(Flaws flaws, double lat, double lon) {
        check(flaws, "lat", "lon", new Point(lat, lon));
    }

    static void check(Flaws flaws, String latField, String lonField, Point point) {
        within(flaws, latField, point.lat(), -Cell.MOST_LAT, Cell.MOST_LAT);
        within(flaws, lonField, point.lon(), -MOST_LON, MOST_LON);
    }

    /** Not a number is not within anything. */
    static void within(Flaws flaws, String field, double value, double least, double most) {
        flaws.that(
                value >= least && value <= most,
                field,
                "must be from " + text(least) + " to " + text(most) + ", not " + text(value));
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
