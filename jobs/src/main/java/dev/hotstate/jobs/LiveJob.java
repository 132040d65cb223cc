package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as Redis has it.
 *
 * @param tasks how many there are
 * @param counts tasks by state, every state; of a cancelled job what had not ended is CANCELLED
 */
record LiveJob(
        String id,
        int epoch,
        JobStatus status,
        int tasks,
        Map<TaskStatus, Integer> counts,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {}
