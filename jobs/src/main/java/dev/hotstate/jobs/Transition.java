package dev.hotstate.jobs;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a job or to one of its tasks, on its way from Redis to PostgreSQL.
 *
 * @param taskId empty where it happened to the job
 * @param attempt 0 where there was none
 * @param state a {@link dev.hotstate.jobs.graph.TaskStatus} or {@link dev.hotstate.jobs.graph.JobStatus} by name; of a
 *     task only ends (SUCCEEDED FAILED SKIPPED) and DELAYED (an attempt failed and another comes)
 * @param startedAt when the attempt, or the job, began; null where it did not
 * @param result of a task; of a job that has ended, how many of its tasks succeeded, failed and were skipped, if that is known
 * @param logged whether the task has a log to be archived
 */
record Transition(
        String jobId,
        String taskId,
        int epoch,
        int attempt,
        String state,
        Instant at,
        @Nullable Instant startedAt,
        @Nullable String worker,
        @Nullable String error,
        @Nullable String result,
        boolean logged) {
    /** The same where it has logged anyway, or is not said to have. */
    Transition logged(boolean also) {
        return logged || !also
                ? this
                : new Transition(jobId, taskId, epoch, attempt, state, at, startedAt, worker, error, result, true);
    }
}
