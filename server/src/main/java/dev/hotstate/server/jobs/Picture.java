package dev.hotstate.server.jobs;

import java.util.Arrays;

/**
 * Where the tasks of a job stand when it is drawn from left to right, by their places in the job.
 *
 * @param layers columns, counted from 0
 * @param y of their upper edges
 */
record Picture(int[] layers, double[] y) {
    static final double WIDTH = 180;
    static final double HEIGHT = 44;
    private static final double COLUMN = WIDTH + 90;

    double x(int task) {
        return layers[task] * COLUMN;
    }

    double width() {
        return Arrays.stream(layers).max().orElse(0) * COLUMN + WIDTH;
    }

    double height() {
        return Arrays.stream(y).max().orElse(0) + HEIGHT;
    }

    /** The same, with the uppermost task at the upper edge. */
    Picture atTop() {
        double top = Arrays.stream(y).min().orElse(0);
        return new Picture(layers, Arrays.stream(y).map(each -> each - top).toArray());
    }
}
