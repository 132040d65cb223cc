package dev.hotstate.drivers;

/**
 * A part of the world between two latitudes and two longitudes. One whose west is greater than its east crosses the
 * antimeridian.
 */
public record Box(double south, double west, double north, double east) {
    public Box {
        requireBetween("south", south, 90);
        requireBetween("west", west, 180);
        requireBetween("north", north, 90);
        requireBetween("east", east, 180);
        if (south > north) {
            throw new IllegalArgumentException("south must not be greater than north, " + north + ", not " + south);
        }
    }

    private static void requireBetween(String field, double value, double most) {
        // Written so that NaN is refused too.
        if (!(value >= -most && value <= most)) {
            throw new IllegalArgumentException(field + " must be from -" + most + " to " + most + ", not " + value);
        }
    }
}
