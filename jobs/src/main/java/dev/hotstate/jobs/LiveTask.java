package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task as Redis has it.
 *
 * @param attempt the one under way, or the last; 0 before the first
 * @param dueAt when a delayed one is tried again
 * @param leaseUntil of a running one; null also where its last attempt lapsed and PostgreSQL is asked
 * @param resultOmitted whether it has given more than was asked for
 * @param remaining needs that have not ended
 * @param parked whether it is ready, but its job is paused
 */
record LiveTask(
        TaskStatus status,
        int attempt,
        @Nullable String worker,
        @Nullable Instant dueAt,
        @Nullable Instant leaseUntil,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String error,
        @Nullable String result,
        boolean resultOmitted,
        int remaining,
        boolean parked,
        long logged) {}
