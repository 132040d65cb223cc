package dev.hotstate.jobs.graph;

import java.util.Locale;

/**
 * When a task runs, by how the tasks that it needs have ended. It is decided by their own states alone: one that was
 * skipped did not fail. A task whose rule can no longer come true is skipped, at once.
 */
public enum Trigger {
    /** All have succeeded. */
    ALL_SUCCESS,
    /** All have ended, however. */
    ALL_DONE,
    /** One has succeeded; the others need not have ended. */
    ONE_SUCCESS,
    /** One has failed; the others need not have ended. */
    ONE_FAILED,
    /** All have ended and none has failed. */
    NONE_FAILED;

    /** As documents spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
