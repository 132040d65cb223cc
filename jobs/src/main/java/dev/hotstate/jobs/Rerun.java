package dev.hotstate.jobs;

/** Which tasks of an ended job are to run again, under a new epoch; all others keep their states and results. */
public sealed interface Rerun {
    /** Those that failed or were cancelled, and all that were skipped. */
    record FromFailed() implements Rerun {}

    /** This one and everything that depends on it. */
    record FromTask(String task) implements Rerun {}
}
