package dev.hotstate.traffic;

import java.util.function.Consumer;

/**
 * Counters of one instance that many threads write at once. A thread begins at the stripe of its id and takes the next one
 * that is free, so nobody waits for a thread that was stopped while it counted.
 */
final class Stripes {
    private final Stripe[] stripes;

    private Stripes(int count, int ids) {
        this.stripes = new Stripe[count];
        for (int i = 0; i < count; i++) {
            stripes[i] = new Stripe(ids);
        }
    }

    static Stripes forThisProcess(int ids) {
        return new Stripes(forProcessors(), ids);
    }

    /** At least four for each processor, a power of two, at most 64: threads that run at once rarely share one. */
    static int forProcessors() {
        int wanted = Math.min(64, 4 * Runtime.getRuntime().availableProcessors());
        return Integer.highestOneBit(2 * wanted - 1);
    }

    /** For reports, which come in batches. */
    static Stripes forReports(int ids) {
        return new Stripes(1, ids);
    }

    void add(Endpoint endpoint, int status, long micros, long atMs, long second) {
        int mask = stripes.length - 1;
        int start = (int) Thread.currentThread().threadId();
        for (int i = 0; !stripes[start + i & mask].tryAdd(endpoint, status, micros, atMs, second); i++) {
            if ((i & mask) == mask) {
                Thread.yield();
            }
        }
    }

    /** Hands over everything that was counted since the last time. Called by one thread at a time. */
    void drain(Consumer<Page> consumer) {
        for (Stripe stripe : stripes) {
            stripe.drain(consumer);
        }
    }
}
