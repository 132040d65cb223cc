package dev.hotstate.server.jobs;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hotstate.jobs.TaskView;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task as it is answered.
 *
 * @param run null where it is for an external worker
 * @param omitted which of {@code input} and {@code result} are there but too large for a list
 */
record TaskShown(
        String jobId,
        String id,
        String name,
        TaskStatus status,
        List<String> needs,
        String trigger,
        String queue,
        @Nullable Map<String, Object> run,
        @JsonRawValue @Nullable String input,
        int priority,
        int maxRetries,
        int retryCount,
        int attempt,
        Duration backoff,
        Duration timeout,
        @Nullable String worker,
        @Nullable Instant dueAt,
        @Nullable Instant leaseUntil,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String error,
        @JsonRawValue @Nullable String result,
        List<String> omitted) {

    /** A page of a thousand with the largest inputs would be half a gigabyte. */
    private static final int LONGEST_ON_LIST = 4 * 1024;

    static TaskShown of(String job, TaskView task) {
        return of(job, task, Integer.MAX_VALUE);
    }

    /** The same on a list. */
    static TaskShown item(String job, TaskView task) {
        return of(job, task, LONGEST_ON_LIST);
    }

    private static TaskShown of(String job, TaskView task, int longest) {
        var spec = task.spec();
        var omitted = new ArrayList<String>();
        if (task.resultOmitted()) {
            omitted.add("result");
        }
        return new TaskShown(
                job,
                spec.id(),
                spec.name(),
                task.status(),
                spec.needs(),
                spec.trigger().word(),
                spec.queue(),
                RunShown.of(spec.run()),
                unlessLonger(spec.input(), "input", longest, omitted),
                spec.priority(),
                spec.maxRetries(),
                Math.max(0, task.attempt() - 1),
                task.attempt(),
                spec.backoff(),
                spec.timeout(),
                task.worker(),
                task.dueAt(),
                task.leaseUntil(),
                task.startedAt(),
                task.finishedAt(),
                task.error(),
                unlessLonger(task.result(), "result", longest, omitted),
                omitted);
    }

    private static @Nullable String unlessLonger(
            @Nullable String json, String field, int longest, List<String> omitted) {
        if (json == null || json.length() <= longest) {
            return json;
        }
        omitted.add(field);
        return null;
    }
}
