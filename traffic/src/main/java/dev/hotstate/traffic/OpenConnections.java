package dev.hotstate.traffic;

import java.util.concurrent.atomic.AtomicInteger;

/** How many connections this process has open, and the most since it was last asked. */
final class OpenConnections {
    private final AtomicInteger current = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();

    void began() {
        int now = current.incrementAndGet();
        if (now > peak.get()) {
            peak.accumulateAndGet(now, Math::max);
        }
    }

    void ended() {
        current.decrementAndGet();
    }

    int current() {
        return Math.max(0, current.get());
    }

    /** The most since the last time; the next stretch begins with what is open now. */
    int takePeak() {
        int now = current();
        return Math.max(now, peak.getAndSet(now));
    }
}
