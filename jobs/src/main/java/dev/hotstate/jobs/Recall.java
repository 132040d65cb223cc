package dev.hotstate.jobs;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Calls those who wait for tasks back, once and for all. It interrupts nobody: what Redis hands out just then still reaches
 * whoever asked, and would else be lost until its lease ends.
 */
public final class Recall {
    private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
    private final Consumer<Recall> begins;
    private volatile boolean over;

    public Recall() {
        this(any -> {});
    }

    /** @param begins is given this by whoever begins to wait under it, since nothing was there at once */
    public Recall(Consumer<Recall> begins) {
        this.begins = begins;
    }

    /** Who waits under it comes back with what there is, and who asks from now on asks for nothing. */
    public void now() {
        over = true;
        waiting.forEach(Runnable::run);
    }

    void begin() {
        begins.accept(this);
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
