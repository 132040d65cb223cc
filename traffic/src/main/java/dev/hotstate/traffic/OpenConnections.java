package dev.hotstate.traffic;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many connections this process has open, and the most since it was last asked. Threads count in stripes of their own,
 * so that they do not meet at one number; a connection may begin in one and end in another.
 *
 * <p>The most is that of the sums that are looked at. Each beginning looks, up to {@value #ALL_LOOK} of a stripe between
 * two questions; beyond that one in four times as many as there are stripes does, so that looking costs the same on any
 * number of processors. A crowd that comes and goes between two looks of every stripe, at more than a thousand a second
 * each, is told too small by as much.
 */
final class OpenConnections {
    static final int ALL_LOOK = 1_000;

    /** Enough numbers beside the one that counts that no two stripes share a cache line, or a pair of them. */
    private static final int SPACE = 16;

    /** A stripe is one number: how many began since the last question above, and how many are open below (signed). */
    private static final long BEGAN = 1L << 32;

    private final int mask;
    private final int looking;
    private final AtomicLongArray stripes;
    private final AtomicInteger peak = new AtomicInteger();

    OpenConnections() {
        this(Stripes.forProcessors());
    }

    /** @param count a power of two */
    OpenConnections(int count) {
        this.mask = count - 1;
        this.looking = 4 * count - 1;
        this.stripes = new AtomicLongArray(SPACE * (count + 1));
    }

    void began() {
        long stripe = stripes.addAndGet(mine(), BEGAN + 1);
        int began = began(stripe);
        if (began <= ALL_LOOK || (began & looking) == 0) {
            look();
        }
    }

    void ended() {
        stripes.getAndAdd(mine(), -1);
    }

    int current() {
        int open = 0;
        for (int i = 0; i <= mask; i++) {
            open += (int) stripes.get(place(i));
        }
        return Math.max(0, open);
    }

    /** The most since the last time; the next stretch begins with what is open now. One thread at a time. */
    int takePeak() {
        for (int i = 0; i <= mask; i++) {
            stripes.getAndAdd(place(i), -BEGAN * began(stripes.get(place(i))));
        }
        int now = current();
        return Math.max(now, peak.getAndSet(now));
    }

    private void look() {
        int now = current();
        if (now > peak.get()) {
            peak.accumulateAndGet(now, Math::max);
        }
    }

    private int mine() {
        return place((int) Thread.currentThread().threadId() & mask);
    }

    private static int place(int stripe) {
        return SPACE * (stripe + 1);
    }

    private static int began(long stripe) {
        return (int) (stripe - (int) stripe >> 32);
    }
}
