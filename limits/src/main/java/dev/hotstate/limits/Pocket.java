package dev.hotstate.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Units of one counter that this process has spent in advance and may use until the lease ends. Taking is one
 * compare-and-set, so that one hot key is served by all cores.
 *
 * @param stamp tells Redis whether they still count there ({@link Standing#stamp})
 * @param remaining what Redis had left beside them
 * @param resetAt when all will be there again, and {@code endsAt} when these may not be used any more: the ticker's time
 */
record Pocket(Target target, AtomicLong units, long endsAt, String stamp, long remaining, long resetAt) {
    private static final long CLOSED = -1;

    /** Whether the units were there and are taken now. */
    boolean take(long cost, long now) {
        if (endsAt - now <= 0) {
            return false;
        }
        while (true) {
            long there = units.get();
            if (there < cost) {
                return false;
            }
            if (units.compareAndSet(there, there - cost)) {
                return true;
            }
        }
    }

    /** Puts back what a call took that came to nothing; when the pocket was emptied meanwhile, they stay spent. */
    void putBack(long cost) {
        units.updateAndGet(there -> there == CLOSED ? CLOSED : there + cost);
    }

    /** Takes all that is left, for good. */
    long empty() {
        return Math.max(0, units.getAndSet(CLOSED));
    }

    long left() {
        return Math.max(0, units.get());
    }
}
