package dev.hotstate.jobs;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls those who wait for tasks back, once and for all. It interrupts nobody: what Redis hands out just then still reaches
 * whoever asked, and would else be lost until its lease ends.
 */
public final class Recall {
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /** Who waits under it comes back with what there is, and who asks from now on asks for nothing. */
    public void now() {
        over = true;
        waiting.forEach(Runnable::run);
    }

    boolean isOver() {
        return over;
    }

    /** @param wake to be run when it is over, if it is not taken away before */
    void add(Runnable wake) {
        waiting.add(wake);
        if (over) {
            wake.run();
        }
    }

    void remove(Runnable wake) {
        waiting.remove(wake);
    }
}
