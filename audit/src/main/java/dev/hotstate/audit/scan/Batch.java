package dev.hotstate.audit.scan;

import java.time.Duration;

/**
 * How many names one SCAN asks for. It is found by trial: as many as the server gives within the time that others may be
 * held up, which is half of what their own way there and back takes, if they are as far away as we are. The server's
 * own count of the time that SCAN takes tells it best. Where that may not be asked for, it is what the answer takes beyond
 * that to a PING, and of three trials the quickest counts: a busy machine between us and the server makes some of them slow,
 * a busy server all.
 */
final class Batch {
    /** Fewer would cost the server more in calls than it gains in pauses between them. */
    private static final int LEAST = 20;

    private static final int MOST = 1_000;
    private static final int TRIALS = 3;
    private static final int FIRST = 50;

    /** No server is so near that less of a hold would be noticed. */
    private static final long LEAST_BUDGET = 20_000;

    private long budget;
    private int count = FIRST;
    private int trials;
    private long quickest = Long.MAX_VALUE;
    private long quickestPing = Long.MAX_VALUE;

    /** @param most what others may be held up, however far away they are */
    Batch(Duration most) {
        this.budget = most.toNanos();
    }

    /**
     * Keeps to what is fair to others.
     *
     * @param ping what the way there and back takes at best, in nanoseconds
     */
    void shareWith(long ping) {
        budget = Math.min(budget, Math.max(LEAST_BUDGET, ping / 2));
    }

    int count() {
        return count;
    }

    /**
     * @param ping what the way there and back takes, in nanoseconds
     * @param taken what the answer took
     */
    void took(long ping, long taken) {
        quickestPing = Math.min(quickestPing, ping);
        quickest = Math.min(quickest, taken);
        if (++trials < TRIALS) {
            return;
        }
        held(Math.max(0, quickest - quickestPing));
        trials = 0;
        quickest = Long.MAX_VALUE;
        quickestPing = Long.MAX_VALUE;
    }

    /**
     * @param held what a batch kept the server busy for, in nanoseconds, by the server's own count
     * @return whether the next batch is of another size
     */
    boolean held(long held) {
        int before = count;
        if (held > budget) {
            count = Math.max(LEAST, count / 2);
        } else if (held < budget / 3) {
            count = Math.min(MOST, count * 2);
        } else if (held < budget * 3 / 4) {
            count = Math.min(MOST, count + count / 4);
        }
        return count != before;
    }
}
