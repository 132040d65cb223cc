package dev.hotstate.drivers;

import java.util.ArrayList;
import java.util.List;

/**
 * The first 28 bits of a cell, by which PostgreSQL finds drivers nearby: some kilometres each. A circle is covered by a few
 * ranges of them, across the antimeridian too.
 */
final class Areas {
    private static final int LEVELS = 14;
    private static final int CELL_BITS = 52;
    private static final int SQUARES = 8;

    private Areas() {}

    /** Both ends are in it. */
    record Range(int from, int to) {}

    static int of(long cell) {
        return (int) (cell >>> (CELL_BITS - 2 * LEVELS));
    }

    /** Squares at least as high as the radius, so three rows of them do: at most some fifty, at 85 degrees. */
    static List<Range> around(double lat, double lon, double radius) {
        double angle = radius / Cell.EARTH_RADIUS * 1.000001 + 1e-9;
        double high = Math.toDegrees(angle);
        double wide = wide(lat, angle);
        int level = LEVELS;
        while (level > 1 && 2 * Cell.MOST_LAT / (1 << level) < high) {
            level--;
        }
        return squares(level, lat - high, lon - wide, lat + high, lon + wide);
    }

    /** At most some hundred. */
    static List<Range> within(Box box) {
        double east = box.east() < box.west() ? box.east() + 360 : box.east();
        int level = LEVELS;
        while (level > 1
                && ((box.north() - box.south()) / (2 * Cell.MOST_LAT) * (1 << level) > SQUARES
                        || (east - box.west()) / 360 * (1 << level) > SQUARES)) {
            level--;
        }
        return squares(level, box.south(), box.west(), box.north(), east);
    }

    private static List<Range> squares(int level, double fromLat, double fromLon, double toLat, double toLon) {
        int squares = 1 << level;
        double height = 2 * Cell.MOST_LAT / squares;
        double width = 360.0 / squares;
        int south = Math.clamp((long) Math.floor((fromLat + Cell.MOST_LAT) / height), 0, squares - 1);
        int north = Math.clamp((long) Math.floor((toLat + Cell.MOST_LAT) / height), 0, squares - 1);
        int west = (int) Math.floor((fromLon + 180) / width);
        int east = Math.min((int) Math.floor((toLon + 180) / width), west + squares - 1);
        List<Range> ranges = new ArrayList<>();
        for (int y = south; y <= north; y++) {
            for (int x = west; x <= east; x++) {
                double middleLon = -180 + (Math.floorMod(x, squares) + 0.5) * width;
                ranges.add(range(Cell.of(-Cell.MOST_LAT + (y + 0.5) * height, middleLon), level));
            }
        }
        return ranges;
    }

    /** How many degrees of longitude a circle reaches to each side; all of them around a pole. */
    private static double wide(double lat, double angle) {
        double sine = Math.sin(angle) / Math.cos(Math.toRadians(lat));
        return Math.abs(Math.toRadians(lat)) + angle >= Math.PI / 2 || sine >= 1
                ? 180
                : Math.toDegrees(Math.asin(sine)) + 1e-9;
    }

    private static Range range(long cell, int level) {
        int shift = 2 * (LEVELS - level);
        int from = of(cell) >>> shift << shift;
        return new Range(from, from + (1 << shift) - 1);
    }
}
