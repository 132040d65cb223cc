package dev.hotstate.jobs;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who asked for tasks lately, and the tasks held now; at most 100 of them are named.
 *
 * @param seenAt null where it has not asked for a while, and only holds tasks
 */
public record WorkerView(
        String name, List<String> queues, @Nullable Instant seenAt, int running, List<Held> tasks) {}
