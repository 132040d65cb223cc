package dev.hotstate.jobs.graph;

import static java.util.Objects.requireNonNullElse;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task while it is read or built: what was said so far. */
final class TaskDraft {
    @Nullable
    String id;

    @Nullable
    String name;

    List<String> needs = List.of();

    @Nullable
    Trigger trigger;

    @Nullable
    String queue;

    @Nullable
    Run run;

    @Nullable
    String input;

    @Nullable
    Integer maxRetries;

    @Nullable
    Duration backoff;

    @Nullable
    Duration timeout;

    @Nullable
    Integer priority;

    TaskDraft() {}

    TaskDraft(String id) {
        this.id = id;
    }

    TaskSpec spec(String jobQueue, int jobPriority) {
        String known = requireNonNullElse(id, "");
        return new TaskSpec(
                known,
                requireNonNullElse(name, known),
                needs,
                requireNonNullElse(trigger, Trigger.ALL_SUCCESS),
                requireNonNullElse(queue, jobQueue),
                requireNonNullElse(run, JobDefaults.EXTERNAL),
                input,
                requireNonNullElse(maxRetries, 0),
                requireNonNullElse(backoff, JobDefaults.BACKOFF),
                requireNonNullElse(timeout, JobDefaults.TIMEOUT),
                requireNonNullElse(priority, jobPriority));
    }
}
