package dev.hotstate.traffic;

import java.util.Optional;

/** Where checkpoints are kept, outside Redis. */
@FunctionalInterface
public interface Checkpoints {

    /** The newest one; empty when there was never one. When it throws, counting waits in memory and asks again. */
    Optional<Checkpoint> latest();

    /** Keeps none: when Redis is lost, totals begin at zero. */
    static Checkpoints none() {
        return Optional::empty;
    }
}
