package dev.hotstate.core;

import dev.hotstate.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Many virtual threads that write counters without end, whatever happens to Redis. */
final class Load implements AutoCloseable {
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAccumulator slowestNanos = new LongAccumulator(Math::max, 0);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    private Load() {}

    /** Calls on partition p0 alone. */
    static Load on(Redis redis, int threads) {
        return on(redis, threads, "p0");
    }

    static Load on(Redis redis, int threads, String partition) {
        Load load = new Load();
        for (int i = 0; i < threads; i++) {
            Key key = Sample.counter(partition, "load" + i);
            load.threads.add(Thread.startVirtualThread(() -> load.run(redis, key)));
        }
        return load;
    }

    /** Waits for so many more answers. */
    void awaitAnswers(int more) {
        long target = answered.sum() + more;
        Eventually.until(more + " more calls are answered", () -> answered.sum() >= target);
    }

    void awaitFailures(int more) {
        long target = failed.sum() + more;
        Eventually.until(more + " more calls have failed", () -> failed.sum() >= target);
    }

    long failures() {
        return failed.sum();
    }

    /** The longest that a call has taken, however it ended. */
    Duration slowest() {
        return Duration.ofNanos(slowestNanos.get());
    }

    Load stop() {
        stopped.set(true);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return this;
    }

    @Override
    public void close() {
        stop();
    }

    private void run(Redis redis, Key key) {
        while (!stopped.get()) {
            long start = System.nanoTime();
            try {
                Sample.increment(redis, key);
                answered.increment();
            } catch (RedisUnavailableException unavailable) {
                failed.increment();
                // A caller that is refused at once comes back a little later, as a web server's next request would.
                LockSupport.parkNanos(1_000_000);
            }
            slowestNanos.accumulate(System.nanoTime() - start);
        }
    }
}
