package dev.hotstate.server.jobs;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.hotstate.jobs.Claimed;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task in a worker's hands, as it is answered.
 *
 * @param fence to be shown with whatever is said of this attempt
 * @param results what the tasks that it needs have given, by their ids
 * @param resultsOmitted those of them whose results are too large to be handed over with the rest, and are read alone
 * @param timeout how long this attempt may take, heartbeats or not
 */
record ClaimedShown(
        String jobId,
        String taskId,
        String fence,
        int attempt,
        boolean lastAttempt,
        String queue,
        @JsonRawValue @Nullable String input,
        Map<String, Object> results,
        List<String> resultsOmitted,
        Instant leaseUntil,
        Duration timeout) {

    static ClaimedShown of(Claimed claimed) {
        var results = new LinkedHashMap<String, Object>();
        claimed.results().forEach((need, json) -> results.put(need, new RawValue(json)));
        return new ClaimedShown(
                claimed.jobId(),
                claimed.taskId(),
                claimed.fence().toString(),
                claimed.attempt(),
                claimed.last(),
                claimed.lane().queue(),
                claimed.input(),
                results,
                claimed.resultsOmitted(),
                claimed.leaseUntil(),
                claimed.timeout());
    }
}
