package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;

/**
 * A part of the world between two latitudes and two longitudes. One whose west is greater than its east crosses the
 * antimeridian.
 */
public record Box(double south, double west, double north, double east) {
    public Box {
        Flaws flaws = new Flaws();
        Ranges.between(flaws, "south", south, -90, 90);
        Ranges.between(flaws, "west", west, -180, 180);
        Ranges.between(flaws, "north", north, -90, 90);
        Ranges.between(flaws, "east", east, -180, 180);
        flaws.that(!(south > north), "south", "must not be greater than north").refuse();
    }
}
