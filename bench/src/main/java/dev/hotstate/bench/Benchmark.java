package dev.hotstate.bench;

/** One question about cost, answered side by side: the same work done by us and by a peer. */
public interface Benchmark {

    /** What a user types: one lower-case word. */
    String name();

    /** The question, in one sentence. */
    String about();

    /** Sets up, then has its subjects compared ({@link Run#compare}). What it opens through the run is closed after it. */
    void run(Run run);
}
