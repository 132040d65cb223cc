package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as Redis is given it: what was submitted, and how far it is.
 *
 * @param status WAITING, READY (it will be made so when the job is opened), or how it has ended
 * @param attempts made so far
 * @param remaining needs that have not ended
 * @param failed needs that have failed
 * @param other of a task that waits for one success, needs that have succeeded; else needs that were skipped
 * @param dependents ids of the tasks that need it
 * @param result what it has given; null where it has not, and where that is looked up with its piece
 * @param resultLength of what it has given, in bytes or characters
 */
record TaskCell(
        TaskSpec spec,
        TaskStatus status,
        int attempts,
        int remaining,
        int failed,
        int other,
        List<String> dependents,
        @Nullable String result,
        int resultLength) {

    TaskCell(
            TaskSpec spec,
            TaskStatus status,
            int attempts,
            int remaining,
            int failed,
            int other,
            List<String> dependents,
            @Nullable String result) {
        this(
                spec,
                status,
                attempts,
                remaining,
                failed,
                other,
                dependents,
                result,
                result == null ? 0 : result.length());
    }

    /** Whether its result is yet to be looked up. */
    boolean lacksResult() {
        return result == null && resultLength > 0;
    }
}
