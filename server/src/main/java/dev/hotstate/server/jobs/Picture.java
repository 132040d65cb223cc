package dev.hotstate.server.jobs;

import java.util.Arrays;

/**
 * Where the tasks of a job stand when it is drawn from left to right, by their places in the job.
 *
 * @param layers counted from 0
 * @param x of their left edges
 * @param y of their upper edges
 */
record Picture(int[] layers, double[] x, double[] y) {
    static final double WIDTH = 180;
    static final double HEIGHT = 44;

    /** From a layer to the next. */
    static final double COLUMN = WIDTH + 90;

    /** Each layer is one column, and the uppermost task stands at the upper edge. */
    static Picture ofColumns(int[] layers, double[] y) {
        double top = Arrays.stream(y).min().orElse(0);
        return new Picture(
                layers,
                Arrays.stream(layers).mapToDouble(layer -> layer * COLUMN).toArray(),
                Arrays.stream(y).map(each -> each - top).toArray());
    }

    double width() {
        return Arrays.stream(x).max().orElse(0) + WIDTH;
    }

    double height() {
        return Arrays.stream(y).max().orElse(0) + HEIGHT;
    }
}
