package dev.hotstate.audit.scan;

import java.util.concurrent.locks.LockSupport;

/**
 * Leaves a node to its other clients after each answer, for about as long as the answer took: what we ask one after the other
 * would else hold them up again and again, and on a machine that we share with the server take a core from it.
 */
final class Rests {
    /** An answer that took longer has waited for the network or for others, and the node was free meanwhile. */
    private static final long MOST = 300_000;

    /** Shorter rests are added up: a thread that sleeps wakes some 50 µs late. */
    private static final long LEAST = 100_000;

    /** Less than nothing after a rest that was longer than it had to be. */
    private long owed;

    /** @param taken from the question to its answer, in nanoseconds */
    void after(long taken) {
        owed += Math.min(taken, MOST);
        if (owed < LEAST) {
            return;
        }
        long began = System.nanoTime();
        LockSupport.parkNanos(owed);
        owed = Math.max(-MOST, owed - (System.nanoTime() - began));
    }
}
