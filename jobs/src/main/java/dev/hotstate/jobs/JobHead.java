package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as Redis is given it, before its tasks.
 *
 * @param status PENDING, RUNNING or PAUSED
 * @param tasks all of them
 * @param open those that have not ended; {@code succeeded}, {@code failed}, {@code skipped} are the others
 * @param ruled whether any task has a rule other than {@code all_success}
 * @param startAt when its ready tasks may begin; null: now
 */
record JobHead(
        String id,
        String name,
        String createdBy,
        Instant createdAt,
        int epoch,
        JobStatus status,
        int tasks,
        int open,
        int succeeded,
        int failed,
        int skipped,
        boolean ruled,
        @Nullable Instant startAt) {}
