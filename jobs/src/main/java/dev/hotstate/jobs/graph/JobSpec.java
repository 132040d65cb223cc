package dev.hotstate.jobs.graph;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was submitted, its tasks with all that the job gave them in passing (queue, priority).
 *
 * @param id as it was given, or made up
 * @param idempotencyKey a second submission with the same one is this job; null where there is none
 * @param delay how long after its submission the roots may begin
 */
public record JobSpec(
        String id,
        String name,
        String createdBy,
        @Nullable String idempotencyKey,
        int priority,
        String queue,
        Duration delay,
        List<TaskSpec> tasks) {

    public JobSpec {
        tasks = List.copyOf(tasks);
    }

    public static JobBuilder named(String name) {
        return new JobBuilder(name);
    }
}
