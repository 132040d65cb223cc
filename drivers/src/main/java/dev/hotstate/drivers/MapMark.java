package dev.hotstate.drivers;

import org.jspecify.annotations.Nullable;

/**
 * What stands on a map: one driver, or the drivers of a cell together, in the middle of them.
 *
 * @param id of the driver where it is one
 * @param heading of that one, where it is known
 */
public record MapMark(
        double lat,
        double lon,
        Summary.Counts counts,
        @Nullable String id,
        @Nullable Double heading) {}
