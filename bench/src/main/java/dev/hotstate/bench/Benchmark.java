package dev.hotstate.bench;

/** One question about cost, answered side by side: the same work done by us and by a peer. */
public interface Benchmark {

    /** What a user types: one lower-case word. */
    String name();

    /** The question, in one sentence. */
    String about();

    /** Whether it takes minutes, so that a run of all leaves it out. */
    default boolean onlyWhenNamed() {
        return false;
    }

    /** Sets up, then has its subjects compared ({@link Run#compare}). What it opens through the run is closed after it. */
    void run(Run run);
}
