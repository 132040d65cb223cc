package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task as it stands.
 *
 * @param attempt the one under way, or the last; 0 before the first
 * @param dueAt when a delayed one is tried again
 * @param leaseUntil of a running one
 * @param resultOmitted whether it has given more than is shown here: asked for alone, it is shown with it
 */
public record TaskView(
        TaskSpec spec,
        TaskStatus status,
        int attempt,
        @Nullable String worker,
        @Nullable Instant dueAt,
        @Nullable Instant leaseUntil,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String error,
        @Nullable String result,
        boolean resultOmitted) {}
