package dev.hotstate.drivers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A cell of the quadtree that scores of GEO sets are: all scores from {@code score} on that share their first 2 *
 * {@code level} bits.
 *
 * @param mm no place in it is nearer to where the search is
 */
record Tile(long score, int level, long mm) {
    /** Nearest first. */
    static final Comparator<Tile> BY_DISTANCE =
            Comparator.comparingLong(Tile::mm).thenComparingLong(Tile::score).thenComparingInt(Tile::level);

    private static final int LEVELS = 26;

    /** Few enough to send, and enough that they are not much larger than the circle. */
    private static final int MOST = 12;

    /** In degrees; for what is lost in rounding. */
    private static final double MARGIN = 1e-7;

    /** What covers a circle, nearest first: as small as so few can be. */
    static List<Tile> covering(double lat, double lon, long radiusMm) {
        double reach = Math.toDegrees((radiusMm + 1) / 1000.0 / Cell.EARTH_RADIUS) + MARGIN;
        double breadth = breadth(lat, reach);
        for (int level = LEVELS; ; level--) {
            int south = Math.clamp(row(lat - reach, level), 0, (1 << level) - 1);
            int north = Math.clamp(row(lat + reach, level), 0, (1 << level) - 1);
            int west = column(lon - breadth, level);
            int columns = Math.min(column(lon + breadth, level) - west + 1, 1 << level);
            if ((long) (north - south + 1) * columns <= MOST) {
                return new Around(lat, lon).tiles(south, north, west, columns, level, radiusMm);
            }
        }
    }

    /** How far to the east and west a circle reaches, in degrees: all around where it holds a pole. */
    private static double breadth(double lat, double reach) {
        if (Math.abs(lat) + reach >= 90) {
            return 180;
        }
        double sine = Math.sin(Math.toRadians(reach)) / Math.cos(Math.toRadians(lat));
        return Math.toDegrees(Math.asin(Math.min(1, sine))) + MARGIN;
    }

    private static int row(double lat, int level) {
        return (int) Math.floor((lat + Cell.MOST_LAT) / (2 * Cell.MOST_LAT) * (1 << level));
    }

    /** Less than 0 or more than there are where it is beyond the antimeridian. */
    private static int column(double lon, int level) {
        return (int) Math.floor((lon + 180) / 360 * (1 << level));
    }

    /** Where the search is. {@code nearest.lua} computes the distance of a cell as this does. */
    private record Around(double lat, double lon) {
        List<Tile> tiles(int south, int north, int west, int columns, int level, long radiusMm) {
            List<Tile> tiles = new ArrayList<>();
            for (int row = south; row <= north; row++) {
                for (int i = 0; i < columns; i++) {
                    int column = Math.floorMod(west + i, 1 << level);
                    long mm = least(row, column, level);
                    if (mm <= radiusMm) {
                        int shift = LEVELS - level;
                        tiles.add(new Tile(Cell.at((long) row << shift, (long) column << shift), level, mm));
                    }
                }
            }
            tiles.sort(BY_DISTANCE);
            return tiles;
        }

        /** The least of each part of the haversine by itself, and a millimetre off for what is lost in rounding. */
        private long least(int row, int column, int level) {
            double height = 2 * Cell.MOST_LAT / (1 << level);
            double width = 360.0 / (1 << level);
            double south = row * height - Cell.MOST_LAT;
            double west = column * width - 180;
            double u = Math.sin(Math.toRadians(Math.max(0, Math.max(south - lat, lat - south - height))) / 2);
            double v = Math.sin(Math.toRadians(between(west, west + width)) / 2);
            double narrow = Math.min(Math.cos(Math.toRadians(south)), Math.cos(Math.toRadians(south + height)));
            double a = u * u + Math.max(0, Math.cos(Math.toRadians(lat))) * narrow * v * v;
            double metres = 2 * Cell.EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(a)));
            return Math.max(0, (long) (metres * 1000) - 1);
        }

        /** How many degrees to the east or west until it is reached. */
        private double between(double west, double east) {
            if (lon >= west && lon <= east) {
                return 0;
            }
            return Math.min(wrapped(west - lon), wrapped(lon - east));
        }

        private static double wrapped(double degrees) {
            return degrees < 0 ? degrees + 360 : degrees;
        }
    }
}
