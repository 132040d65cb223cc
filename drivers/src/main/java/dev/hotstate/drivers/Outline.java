package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
import dev.hotstate.drivers.Region.Point;
import java.util.List;

/**
 * A region's shape on the map of latitudes and longitudes, on which its edges are straight. From each point to the next it
 * goes the shorter way around the earth, so it may cross the antimeridian; it may not go around a pole.
 */
final class Outline {
    static final int LEAST = 3;
    static final int MOST = 500;

    /** About a hundred square metres at the equator, in square degrees. */
    private static final double LEAST_AREA = 1e-8;

    private final double[] lat;

    /** Unrolled: continuous along the outline, so it may pass 180 degrees. */
    private final double[] lon;

    private final double area;
    private final double south;
    private final double north;
    private final double west;
    private final double east;

    private Outline(double[] lat, double[] lon) {
        this.lat = lat;
        this.lon = lon;
        this.area = area(lat, lon);
        double[] lats = ends(lat);
        double[] lons = ends(lon);
        this.south = lats[0];
        this.north = lats[1];
        this.west = lons[0];
        this.east = lons[1];
    }

    /** @throws dev.hotstate.core.InvalidDocumentException naming the point that does not fit */
    static Outline of(List<Point> shape) {
        Flaws flaws = new Flaws();
        flaws.that(
                shape.size() >= LEAST && shape.size() <= MOST,
                "shape",
                "must be of " + LEAST + " to " + MOST + " points, not " + shape.size());
        for (int i = 0; i < Math.min(MOST, shape.size()); i++) {
            Places.check(flaws, "shape[" + i + "][0]", "shape[" + i + "][1]", shape.get(i));
        }
        flaws.refuse();
        double[] lat = new double[shape.size()];
        double[] lon = new double[shape.size()];
        for (int i = 0; i < lat.length; i++) {
            lat[i] = shape.get(i).lat();
            lon[i] = i == 0
                    ? shape.get(0).lon()
                    : lon[i - 1] + shorter(shape.get(i).lon() - shape.get(i - 1).lon());
        }
        double closing = shorter(shape.getFirst().lon() - shape.getLast().lon());
        boolean closes = Math.abs(lon[lon.length - 1] + closing - lon[0]) < 1e-6;
        flaws.that(closes, "shape", "must not go around a pole").refuse();
        Outline outline = new Outline(lat, lon);
        flaws.that(flat(lat, lon) > LEAST_AREA, "shape", "must have an area").refuse();
        return outline;
    }

    boolean contains(double pointLat, double pointLon) {
        if (pointLat < south || pointLat > north) {
            return false;
        }
        // The longitude that lies on the unrolled map, if any does.
        double turned = pointLon + 360 * Math.ceil((west - pointLon) / 360);
        return turned <= east && isInside(pointLat, turned);
    }

    /** As a share of the half of the earth's surface: only compared. */
    double area() {
        return area;
    }

    /** A ray to the east crosses the outline an odd number of times. An edge has its lower end but not its upper one. */
    private boolean isInside(double y, double x) {
        boolean inside = false;
        for (int i = 0, j = lat.length - 1; i < lat.length; j = i++) {
            if ((lat[i] > y) != (lat[j] > y) && x < (lon[j] - lon[i]) * (y - lat[i]) / (lat[j] - lat[i]) + lon[i]) {
                inside = !inside;
            }
        }
        return inside;
    }

    private static double shorter(double turn) {
        if (turn > 180) {
            return turn - 360;
        }
        return turn < -180 ? turn + 360 : turn;
    }

    private static double area(double[] lat, double[] lon) {
        double sum = 0;
        for (int i = 0, j = lat.length - 1; i < lat.length; j = i++) {
            double height = Math.sin(Math.toRadians(lat[i])) + Math.sin(Math.toRadians(lat[j]));
            sum += (lon[i] - lon[j]) * height / 2;
        }
        return Math.abs(sum) / 360;
    }

    /** In square degrees, on the map where edges are straight: none where all points are on a line. */
    private static double flat(double[] lat, double[] lon) {
        double sum = 0;
        for (int i = 0, j = lat.length - 1; i < lat.length; j = i++) {
            sum += (lon[i] - lon[j]) * (lat[i] + lat[j]) / 2;
        }
        return Math.abs(sum);
    }

    private static double[] ends(double[] values) {
        double least = values[0];
        double most = values[0];
        for (double value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        return new double[] {least, most};
    }
}
