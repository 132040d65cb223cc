package dev.hotstate.jobs.work;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.core.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a worker works.
 *
 * @param name as it is shown: 1 to 64 of {@code A-Z a-z 0-9 . _ -}
 * @param queues whose tasks its named handlers do
 * @param concurrency tasks under way at once
 * @param lease how long after its last word a task of a dead worker comes back; a word is sent each third of it
 * @param grace how long tasks may go on when the worker is closed
 * @param threads one for each task; null: virtual ones, but for a task that runs alone, which has a thread of the system's,
 *     since that is woken sooner. Handlers that compute for long without ever waiting would keep virtual ones from running
 * @param json how inputs and results are read and written
 */
public record WorkerOptions(
        String name,
        List<String> queues,
        int concurrency,
        Duration lease,
        Duration grace,
        @Nullable ThreadFactory threads,
        ObjectMapper json) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);
    private static final int MOST_TASKS = 10_000;

    public WorkerOptions {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name must be 1 to 64 of A-Z a-z 0-9 . _ -, not \"" + name + "\"");
        }
        if (concurrency < 1 || concurrency > MOST_TASKS) {
            throw new IllegalArgumentException("concurrency must be 1 to " + MOST_TASKS + ", not " + concurrency);
        }
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("lease must be 1s to 1h, not " + Durations.print(lease));
        }
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace must not be negative: " + Durations.print(grace));
        }
        queues = List.copyOf(queues);
    }

    /** Of the queue {@code default}: 16 tasks at once, a lease of 30 s, a grace of 10 s. */
    public static WorkerOptions named(String name) {
        return new WorkerOptions(
                name,
                List.of("default"),
                16,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                null,
                JsonMapper.builder(JsonFactory.builder()
                                // By default each thread has buffers of its own, which a virtual one uses but once.
                                .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                                .build())
                        .findAndAddModules()
                        .build());
    }

    public WorkerOptions withQueues(String... served) {
        return new WorkerOptions(name, List.of(served), concurrency, lease, grace, threads, json);
    }

    public WorkerOptions withConcurrency(int tasks) {
        return new WorkerOptions(name, queues, tasks, lease, grace, threads, json);
    }

    public WorkerOptions withLease(Duration longest) {
        return new WorkerOptions(name, queues, concurrency, longest, grace, threads, json);
    }

    public WorkerOptions withGrace(Duration longest) {
        return new WorkerOptions(name, queues, concurrency, lease, longest, threads, json);
    }

    public WorkerOptions withThreads(ThreadFactory each) {
        return new WorkerOptions(name, queues, concurrency, lease, grace, each, json);
    }

    public WorkerOptions withJson(ObjectMapper mapper) {
        return new WorkerOptions(name, queues, concurrency, lease, grace, threads, mapper);
    }
}
