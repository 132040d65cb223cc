package dev.hotstate.traffic;

import java.util.Arrays;

/** The last samples of a cell: one number each, in memory that grows with what comes, up to 1,024 of them. */
final class Ring {
    private static final int FIRST_SIZE = 16;
    private static final int MOST = 1_024;

    /** Up to 599. */
    private static final int STATUS_BITS = 10;

    /** Up to an hour in microseconds. What is above is the time within ten seconds, in milliseconds. */
    private static final int MICROS_BITS = 32;

    private long[] packed = {};
    private int added;

    void add(int sinceMs, long micros, int status) {
        if (added == packed.length && added < MOST) {
            packed = Arrays.copyOf(packed, added == 0 ? FIRST_SIZE : 2 * added);
        }
        // Sizes are powers of two; a count that passes the int's end goes on from the same place.
        packed[added & packed.length - 1] = ((long) sinceMs << MICROS_BITS | micros) << STATUS_BITS | status;
        added = added == Integer.MAX_VALUE ? MOST : added + 1;
    }

    int size() {
        return Math.min(added, packed.length);
    }

    /** The i-th that is left, the oldest first. */
    Sample get(int i, long startMs) {
        long sample = packed[added <= packed.length ? i : added + i & packed.length - 1];
        long timed = sample >> STATUS_BITS;
        return new Sample(startMs + (timed >> MICROS_BITS), timed & (1L << MICROS_BITS) - 1, (int)
                (sample & (1 << STATUS_BITS) - 1));
    }

    void clear() {
        added = 0;
    }
}
