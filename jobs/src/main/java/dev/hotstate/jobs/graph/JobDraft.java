package dev.hotstate.jobs.graph;

import static java.util.Objects.requireNonNullElse;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job while it is read or built: what was said so far. */
final class JobDraft {
    @Nullable
    String id;

    @Nullable
    String name;

    @Nullable
    String createdBy;

    @Nullable
    String idempotencyKey;

    @Nullable
    Integer priority;

    @Nullable
    String queue;

    @Nullable
    Duration delay;

    @Nullable
    List<TaskDraft> tasks;

    /** With the defaults of what was not said; what must be said and was not is noted, and made up. */
    JobSpec spec(Flaws flaws) {
        flaws.that(name != null, "name", "is required");
        if (tasks == null) {
            flaws.add(new Flaw("tasks", "is required"));
            // Nothing more is said about tasks that are not there.
            tasks = List.of(new TaskDraft("none"));
        }
        String called = requireNonNullElse(name, "none");
        String ofQueue = requireNonNullElse(queue, JobDefaults.QUEUE);
        int ofPriority = requireNonNullElse(priority, 0);
        return new JobSpec(
                id == null ? JobIds.random(called) : id,
                called,
                requireNonNullElse(createdBy, JobDefaults.AUTHOR),
                idempotencyKey,
                ofPriority,
                ofQueue,
                requireNonNullElse(delay, Duration.ZERO),
                tasks.stream().map(task -> task.spec(ofQueue, ofPriority)).toList());
    }
}
