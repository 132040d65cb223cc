package dev.hotstate.bench.drill;

import java.util.Arrays;

/** Values that were measured, by their rank. */
public final class Percentiles {
    private final double[] sorted;

    public Percentiles(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    /** @param share such as 0.99 */
    public double at(double share) {
        return sorted[Math.clamp((long) Math.ceil(share * sorted.length) - 1, 0, sorted.length - 1)];
    }
}
