package dev.hotstate.drivers;

import java.util.List;

/** How many drivers there are, and how busy they keep us. */
public record Summary(Counts all, double updatesPerSecond, List<OfRegion> regions) {
    /** @param reserved of those that are AVAILABLE */
    public record Counts(long available, long busy, long offline, long reserved) {}

    public record OfRegion(String region, Counts counts, double updatesPerSecond) {}
}
