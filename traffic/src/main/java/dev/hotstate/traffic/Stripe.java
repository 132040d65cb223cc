package dev.hotstate.traffic;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;

/**
 * A page that threads write one at a time, and a spare one. A drain swaps them, so it holds up no writer for longer than a
 * swap takes.
 */
final class Stripe {
    private static final int FREE = 0;
    private static final int TAKEN = 1;

    /** The one that counts stands amid enough others that no two stripes share a cache line. */
    private static final int SPACE = 32;

    private static final int LOCK = SPACE / 2;

    private final AtomicIntegerArray lock = new AtomicIntegerArray(SPACE);
    private Page written;
    private Page spare;

    Stripe(int ids) {
        this.written = new Page(ids);
        this.spare = new Page(ids);
    }

    /** Counts, unless another thread is at it. */
    boolean tryAdd(Endpoint endpoint, int status, long micros, long atMs, long second) {
        if (!lock.compareAndSet(LOCK, FREE, TAKEN)) {
            return false;
        }
        try {
            written.add(endpoint, status, micros, atMs, second);
        } finally {
            lock.setRelease(LOCK, FREE);
        }
        return true;
    }

    /** Hands over what was written. Called by one thread at a time. */
    void drain(Consumer<Page> consumer) {
        while (!lock.compareAndSet(LOCK, FREE, TAKEN)) {
            Thread.yield();
        }
        Page drained = written;
        written = spare;
        spare = drained;
        lock.setRelease(LOCK, FREE);
        consumer.accept(drained);
        drained.clear();
    }
}
