package dev.hotstate.jobs;

/** What an {@link Ending} came to. */
public enum Ended {
    /** It counts. */
    DONE,
    /** It counted before, told under the same fence: nothing changed. So a lost answer can be asked for again. */
    REPEATED,
    /** Somebody else holds the task, or nobody, or it has ended: nothing changed. */
    STALE,
    /** There is no such task in Redis: never, or no longer. */
    UNKNOWN
}
