package dev.hotstate.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A queue over all partitions.
 *
 * @param ready tasks that wait for a worker
 * @param lag how long the one that waits longest has, of whatever priority
 * @param running tasks that workers hold
 * @param concurrency the most that may run at once; null: any number
 */
public record QueueView(
        String name,
        long ready,
        Duration lag,
        long running,
        @Nullable Integer concurrency) {}
