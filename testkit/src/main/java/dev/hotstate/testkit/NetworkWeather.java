package dev.hotstate.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** How the network treats bytes right now; the threads that carry them ask here when each may go on. */
final class NetworkWeather {
    private static final long NANOS_A_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean stalled;
    private long delayNanos;

    void stall() {
        become(true, 0);
    }

    void delay(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("by is negative: " + by);
        }
        become(false, by.toNanos());
    }

    void clear() {
        become(false, 0);
    }

    /** Waits until bytes that came at a time, by {@link System#nanoTime}, may be passed on. */
    void awaitPassage(long cameAt) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (stalled || remaining(cameAt) > 0) {
                if (stalled) {
                    changed.await();
                } else {
                    changed.await(Math.max(NANOS_A_MILLI, remaining(cameAt)), TimeUnit.NANOSECONDS);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void become(boolean stalled, long delayNanos) {
        lock.lock();
        try {
            this.stalled = stalled;
            this.delayNanos = delayNanos;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private long remaining(long cameAt) {
        return cameAt + delayNanos - System.nanoTime();
    }
}
