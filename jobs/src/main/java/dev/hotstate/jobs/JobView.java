package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as it stands.
 *
 * @param epoch 1, and one more with each re-run
 * @param counts tasks by state; of those that have not ended Redis alone knows the state, so without it they are WAITING
 * @param live whether this is from Redis, or else as PostgreSQL last heard
 */
public record JobView(
        String id,
        String name,
        String createdBy,
        JobStatus status,
        int priority,
        String queue,
        int epoch,
        int tasks,
        Map<TaskStatus, Integer> counts,
        Instant createdAt,
        @Nullable Instant startAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        boolean live) {}
