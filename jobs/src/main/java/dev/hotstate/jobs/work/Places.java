package dev.hotstate.jobs.work;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Room for so many tasks at once. Who asks for tasks holds as many places, so that whatever comes has one. */
final class Places {
    private final int all;
    private final Semaphore free;

    Places(int all) {
        this.all = all;
        this.free = new Semaphore(all);
    }

    /** At least one place, waiting for it, and as many as are free up to a number. */
    int takeSome(int most) throws InterruptedException {
        free.acquire();
        return 1 + takeFree(most - 1);
    }

    /** What is free up to a number; perhaps none. */
    int takeFree(int most) {
        int wanted = Math.min(most, free.availablePermits());
        while (wanted > 0 && !free.tryAcquire(wanted)) {
            wanted = Math.min(wanted, free.availablePermits());
        }
        return Math.max(0, wanted);
    }

    void give(int places) {
        free.release(places);
    }

    /** Waits until all are free; they stay so. */
    boolean awaitAll(Duration patience) throws InterruptedException {
        boolean are = free.tryAcquire(all, patience.toNanos(), TimeUnit.NANOSECONDS);
        if (are) {
            free.release(all);
        }
        return are;
    }
}
