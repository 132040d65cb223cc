package dev.hotstate.audit.scan;

import java.time.Duration;

/**
 * How many names one SCAN asks for. It is found by trial: as many as the server gives within the time that others may be
 * held up, which is what the answer takes beyond that to a PING. A server that turns slow gets smaller batches at once.
 */
final class Batch {
    private static final int LEAST = 10;
    private static final int MOST = 2000;
    private static final int FIRST = 100;

    private final long budget;
    private int count = FIRST;

    Batch(Duration budget) {
        this.budget = budget.toNanos();
    }

    int count() {
        return count;
    }

    /**
     * @param ping what the way there and back takes, in nanoseconds
     * @param taken what the answer took
     */
    void took(long ping, long taken) {
        long held = Math.max(0, taken - ping);
        if (held > budget) {
            count = Math.max(LEAST, count / 2);
        } else if (held < budget / 2) {
            count = Math.min(MOST, count + count / 4 + 1);
        }
    }
}
