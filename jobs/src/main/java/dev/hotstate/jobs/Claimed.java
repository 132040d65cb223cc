package dev.hotstate.jobs;

import dev.hotstate.core.Fence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task in a worker's hands.
 *
 * @param attempt 1 for the first
 * @param last whether no retry is left after this attempt
 * @param run the task's {@code run} as JSON, where it is a shell command or an HTTP request; null for others
 * @param results what the tasks that it needs have given, by their ids, as far as they have and it is not too much
 * @param resultsOmitted needed tasks whose results, if they have any, were too much to be handed over: they are had by
 *     asking for the task; at most 1,000 are named
 * @param timeout how long this attempt may take in all
 */
public record Claimed(
        String jobId,
        String taskId,
        int epoch,
        Fence fence,
        int attempt,
        boolean last,
        Lane lane,
        @Nullable String run,
        @Nullable String input,
        Map<String, String> results,
        List<String> resultsOmitted,
        Instant leaseUntil,
        Duration timeout) {

    public Held held() {
        return new Held(jobId, taskId, fence);
    }
}
