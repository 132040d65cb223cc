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
 */
record TaskCell(
        TaskSpec spec,
        TaskStatus status,
        int attempts,
        int remaining,
        int failed,
        int other,
        List<String> dependents,
        @Nullable String result) {}
