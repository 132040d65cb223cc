package dev.hotstate.jobs.graph;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as it was submitted.
 *
 * @param needs the ids of the tasks that it waits for
 * @param input JSON, as it was written; null where there is none
 * @param maxRetries how often it may be tried again after its first attempt
 * @param backoff before the first retry; it doubles with each, up to an hour, and a quarter of it is chance
 * @param timeout the longest that one attempt may take, heartbeats or not
 * @param priority 0 to 100; greater goes first among the ready ones of a partition
 */
public record TaskSpec(
        String id,
        String name,
        List<String> needs,
        Trigger trigger,
        String queue,
        Run run,
        @Nullable String input,
        int maxRetries,
        Duration backoff,
        Duration timeout,
        int priority) {

    public TaskSpec {
        needs = List.copyOf(needs);
    }
}
