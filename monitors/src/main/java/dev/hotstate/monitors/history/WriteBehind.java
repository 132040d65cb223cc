package dev.hotstate.monitors.history;

import dev.hotstate.store.StoreException;
import dev.hotstate.store.StoreUnavailableException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings results to their table, one batch after the other. A batch leaves the buffer only when it is known to be written,
 * so one whose fate is unclear is written twice, which the table does not mind.
 */
final class WriteBehind implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);
    private static final String DROPPED = "hotstate.monitors.history.dropped";

    private final Sink sink;
    private final HistoryOptions options;
    private final Buffer buffer;
    private final Counter written;
    private final Counter overflown;
    private final Counter misplaced;
    private final Counter refused;
    private final ReentrantLock writing = new ReentrantLock();
    private final Semaphore full = new Semaphore(0);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean failing; // then only time lets it be tried again

    /** Where results go. */
    interface Sink {
        /** Whether it is of a time that has a place. */
        boolean takes(Result result);

        /** All or none. */
        void write(List<Result> results);

        /** Makes room for what could not be written; writes must succeed after it, unless a result is itself at fault. */
        void prepare();
    }

    WriteBehind(Sink sink, HistoryOptions options, MeterRegistry meters) {
        this.sink = sink;
        this.options = options;
        this.buffer = new Buffer(options.buffer());
        this.written = meters.counter("hotstate.monitors.history.written");
        this.overflown = meters.counter(DROPPED, "reason", "overflow");
        this.misplaced = meters.counter(DROPPED, "reason", "misplaced");
        this.refused = meters.counter(DROPPED, "reason", "refused");
        Gauge.builder("hotstate.monitors.history.buffered", buffer, Buffer::size)
                .register(meters);
        this.thread = Thread.ofVirtual().name("monitors-history").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void add(Result result) {
        if (!buffer.add(result)) {
            overflown.increment();
        }
        if (buffer.size() >= options.batch() && !failing && full.availablePermits() == 0) {
            full.release();
        }
    }

    void flush() {
        long end = buffer.end();
        writing.lock();
        try {
            for (Buffer.Taken taken = next(); taken.begin() < end; taken = next()) {
                List<Result> results =
                        taken.results().stream().filter(sink::takes).toList();
                if (!results.isEmpty()) {
                    write(results, true);
                }
                misplaced.increment(taken.results().size() - results.size());
                buffer.remove(taken);
            }
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        full.release();
        try {
            if (!thread.join(LONGEST_CLOSE) || buffer.size() > 0) {
                LOG.warn("PostgreSQL does not take the last {} results of monitors: they are lost.", buffer.size());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Buffer.Taken next() {
        return buffer.peek(options.batch());
    }

    private void run() {
        while (closing.getCount() > 0) {
            awaitWork();
            tryFlush();
        }
        tryFlush(); // what came after the last look
    }

    private void awaitWork() {
        try {
            if (full.tryAcquire(options.flushEvery().toNanos(), TimeUnit.NANOSECONDS)) {
                full.drainPermits();
            }
        } catch (InterruptedException stopped) {
            closing.countDown();
        }
    }

    private void tryFlush() {
        try {
            flush();
            failing = false;
        } catch (RuntimeException failed) {
            if (!failing) {
                LOG.warn("Results of monitors wait in memory: {}", failed.getMessage());
            }
            failing = true;
        }
    }

    /** What is refused for good must not stop what comes behind it: halves find the one that is at fault. */
    private void write(List<Result> results, boolean first) {
        try {
            sink.write(results);
            written.increment(results.size());
        } catch (StoreUnavailableException away) {
            throw away;
        } catch (StoreException | IllegalArgumentException failed) {
            if (first) {
                sink.prepare();
                write(results, false);
            } else if (results.size() == 1) {
                refused.increment();
                LOG.warn(
                        "A result of the monitor {} is not kept: {}",
                        results.getFirst().monitor(),
                        failed.getMessage());
            } else {
                write(results.subList(0, results.size() / 2), false);
                write(results.subList(results.size() / 2, results.size()), false);
            }
        }
    }
}
