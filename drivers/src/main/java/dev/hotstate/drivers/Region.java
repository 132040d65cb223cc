package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of the world whose drivers are kept together.
 *
 * @param id stands in keys as their hash tag
 * @param shape the outline as points, at least three; a box is given by its four corners. Empty for {@link #DEFAULT}.
 */
public record Region(String id, List<Point> shape) {
    /** Holds every driver that is in no other region. */
    public static final String DEFAULT = "default";

    /** An edge of a shape goes the shorter way around the earth, so a wide box has corners between its own. */
    private static final int WIDEST_EDGE = 90;

    public record Point(double lat, double lon) {}

    public Region {
        shape = List.copyOf(shape);
    }

    /**
     * All between two latitudes and from one longitude eastward to another; where {@code west} is greater than
     * {@code east}, across the antimeridian.
     *
     * @throws dev.hotstate.core.InvalidDocumentException naming the side that does not fit
     */
    public static Region box(String id, double south, double west, double north, double east) {
        Flaws flaws = new Flaws();
        Places.check(flaws, "box.south", "box.west", new Point(south, west));
        Places.check(flaws, "box.north", "box.east", new Point(north, east));
        flaws.that(!(south >= north), "box.north", "must be greater than box.south, " + south + ", not " + north);
        flaws.that(west != east, "box.east", "must differ from box.west, " + west);
        flaws.refuse();
        double width = west < east ? east - west : east - west + 360;
        int edges = (int) Math.ceil(width / WIDEST_EDGE);
        List<Point> shape = new ArrayList<>();
        for (int i = 0; i <= edges; i++) {
            shape.add(new Point(south, turned(west + width * i / edges)));
        }
        for (int i = edges; i >= 0; i--) {
            shape.add(new Point(north, turned(west + width * i / edges)));
        }
        return new Region(id, shape);
    }

    private static double turned(double lon) {
        return lon > 180 ? lon - 360 : lon;
    }
}
