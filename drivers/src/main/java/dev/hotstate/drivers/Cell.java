package dev.hotstate.drivers;

/**
 * A place as Redis's GEO sets keep it: 26 bits of longitude and 26 of latitude, interleaved in one number of 52 bits, the
 * score of a GEO set. Latitudes end at 85.05112878 degrees. Cells are at most 0.6 m wide; a place stands for its cell's
 * middle from then on, here, in Redis and in PostgreSQL, so that all three agree on distances.
 */
public final class Cell {
    /** As in Redis. */
    public static final double MOST_LAT = 85.05112878;

    static final double EARTH_RADIUS = 6372797.560856;
    private static final int BITS = 26;

    private Cell() {}

    public static long of(double lat, double lon) {
        return at(offset(lat, MOST_LAT), offset(lon, 180));
    }

    /** By its place on the grid, from the south and from the west. */
    static long at(long row, long column) {
        return spread(row) | spread(column) << 1;
    }

    public static double lat(long cell) {
        return middle(gather(cell), MOST_LAT);
    }

    public static double lon(long cell) {
        return middle(gather(cell >>> 1), 180);
    }

    /** Along a great circle in metres, rounded to whole millimetres: so it is the same wherever it is computed. */
    public static double distance(double lat1, double lon1, double lat2, double lon2) {
        double u = Math.sin((Math.toRadians(lat2) - Math.toRadians(lat1)) / 2);
        double v = Math.sin((Math.toRadians(lon2) - Math.toRadians(lon1)) / 2);
        double a = u * u + Math.cos(Math.toRadians(lat1)) * Math.cos(Math.toRadians(lat2)) * v * v;
        return Math.floor(2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(a))) * 1000 + 0.5) / 1000;
    }

    private static long offset(double degrees, double most) {
        return Math.min((1L << BITS) - 1, (long) ((degrees + most) / (2 * most) * (1L << BITS)));
    }

    private static double middle(long offset, double most) {
        double scale = 2 * most / (1L << BITS);
        return Math.clamp(-most + (offset + 0.5) * scale, -most, most);
    }

    private static long spread(long bits) {
        long x = bits;
        x = (x | x << 16) & 0x0000FFFF0000FFFFL;
        x = (x | x << 8) & 0x00FF00FF00FF00FFL;
        x = (x | x << 4) & 0x0F0F0F0F0F0F0F0FL;
        x = (x | x << 2) & 0x3333333333333333L;
        return (x | x << 1) & 0x5555555555555555L;
    }

    private static long gather(long bits) {
        long x = bits & 0x5555555555555555L;
        x = (x | x >>> 1) & 0x3333333333333333L;
        x = (x | x >>> 2) & 0x0F0F0F0F0F0F0F0FL;
        x = (x | x >>> 4) & 0x00FF00FF00FF00FFL;
        x = (x | x >>> 8) & 0x0000FFFF0000FFFFL;
        return (x | x >>> 16) & 0x00000000FFFFFFFFL;
    }
}
