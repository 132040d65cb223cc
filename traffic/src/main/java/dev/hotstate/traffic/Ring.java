package dev.hotstate.traffic;

import java.util.Arrays;

/** The last samples of a cell: two numbers each, in memory that grows with what comes, up to 1,024 of them. */
final class Ring {
    private static final int FIRST_SIZE = 16;
    private static final int MOST = 1_024;
    private static final int STATUS_BITS = 10;

    private long[] times = {};
    private long[] figures = {};
    private int added;

    void add(long atMs, long micros, int status) {
        if (added == times.length && added < MOST) {
            int size = added == 0 ? FIRST_SIZE : 2 * added;
            times = Arrays.copyOf(times, size);
            figures = Arrays.copyOf(figures, size);
        }
        // Sizes are powers of two; a count that passes the int's end goes on from the same place.
        int place = added & times.length - 1;
        times[place] = atMs;
        figures[place] = micros << STATUS_BITS | status;
        added = added == Integer.MAX_VALUE ? MOST : added + 1;
    }

    int size() {
        return Math.min(added, times.length);
    }

    Sample get(int i) {
        return new Sample(times[i], figures[i] >> STATUS_BITS, (int) (figures[i] & (1 << STATUS_BITS) - 1));
    }

    void clear() {
        added = 0;
    }

    /** One request. */
    record Sample(long atMs, long micros, int status) {}
}
