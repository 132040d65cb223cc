package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task as PostgreSQL has it: how its last archived attempt came out.
 *
 * @param resultOmitted whether it has given more than was asked for
 */
record StoredTask(
        String id,
        TaskStatus status,
        int attempt,
        boolean logged,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String worker,
        @Nullable String error,
        @Nullable String result,
        boolean resultOmitted) {}
