package dev.hotstate.jobs;

import dev.hotstate.core.Flaws;
import dev.hotstate.jobs.graph.JobLimits;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The concurrency limits of queues, in memory: each claim asks for them. Other instances learn of a change in a second. */
final class QueueLimits {
    private static final int MOST = 100_000;

    private final PostgresQueues stored;
    private final Lock reading = new ReentrantLock();
    private volatile Map<String, Integer> known;

    QueueLimits(PostgresQueues stored) {
        this.stored = stored;
        this.known = stored.limits();
    }

    Map<String, Integer> known() {
        return known;
    }

    /** One after the other: what was read before a change must not replace what was read after it. */
    void refresh() {
        reading.lock();
        try {
            known = stored.limits();
        } finally {
            reading.unlock();
        }
    }

    void limit(String queue, @Nullable Integer concurrency) {
        Flaws flaws = new Flaws()
                .id("queue", queue)
                .that(queue.length() <= JobLimits.QUEUE, "queue", "must be at most " + JobLimits.QUEUE + " characters");
        if (concurrency != null) {
            flaws.range("concurrency", concurrency, 0, MOST);
        }
        flaws.refuse();
        stored.limit(queue, concurrency);
        refresh();
    }
}
