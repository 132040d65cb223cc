package dev.hotstate.traffic;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A page that threads write one at a time, and a spare one. A drain swaps them, so it holds up no writer for longer than a
 * swap takes.
 */
final class Stripe {
    private final AtomicBoolean taken = new AtomicBoolean();
    private Page written;
    private Page spare;

    Stripe(int ids) {
        this.written = new Page(ids);
        this.spare = new Page(ids);
    }

    /** Counts, unless another thread is at it. */
    boolean tryAdd(Endpoint endpoint, int status, long micros, long atMs, long second) {
        if (taken.getPlain() || !taken.compareAndSet(false, true)) {
            return false;
        }
        try {
            written.add(endpoint, status, micros, atMs, second);
        } finally {
            taken.setRelease(false);
        }
        return true;
    }

    /** Hands over what was written. Called by one thread at a time. */
    void drain(Consumer<Page> consumer) {
        while (!taken.compareAndSet(false, true)) {
            Thread.yield();
        }
        Page drained = written;
        written = spare;
        spare = drained;
        taken.setRelease(false);
        consumer.accept(drained);
        drained.clear();
    }
}
