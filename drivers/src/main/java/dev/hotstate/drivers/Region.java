package dev.hotstate.drivers;

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

    public record Point(double lat, double lon) {}
}
