package dev.hotstate.bench;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Redis is killed under a crowd of callers that go on calling, and started again: how long the slowest call took, how soon
 * calls were answered again, and what threads and heap came to. Ours beside Lettuce with its defaults.
 */
final class OutageBenchmark implements Benchmark {
    private static final int CALLERS = 64;
    private static final Metric LONGEST = new Metric("longest_call", "ms");
    private static final Metric RECOVERY = new Metric("first_answer", "ms");
    private static final Metric THREADS = new Metric("platform_threads", "threads");
    private static final Metric HEAP = new Metric("live_heap", "MB");
    private static final String PEER = "lettuce defaults";

    @Override
    public String name() {
        return "outage";
    }

    @Override
    public String about() {
        return "Redis killed and started again under 64 callers (goal: no call beyond its deadline, threads and heap flat)";
    }

    @Override
    public void run(Run run) {
        RedisServer server = run.redis();
        Redis redis = run.closedLater(
                Redis.connect(RedisOptions.of(server.uri()), BenchKeys.KEYSPACE, new SimpleMeterRegistry()));
        Key key = BenchKeys.VISITS.of(Partition.spread("b", 1).getFirst());
        RedisClient client = RedisClient.create(server.uri());
        run.closedLater(client::shutdown);
        StatefulRedisConnection<String, String> lettuce = client.connect();
        run.say("each slice: calls for a while, four times as long without Redis, then until it answers; deadline 2 s");
        run.compare(List.of(
                new Subject(
                        PEER,
                        length -> outage(server, length, () -> lettuce.sync().hlen("visits"))),
                new Subject(
                                "hotstate",
                                length -> outage(
                                        server, length, () -> redis.read(key, (commands, name) -> commands.hlen(name))))
                        .against(PEER, LONGEST)
                        .against(PEER, RECOVERY)));
    }

    private static Map<Metric, Double> outage(RedisServer server, Duration length, Runnable call) {
        Callers callers = new Callers(call);
        pause(length);
        server.kill();
        pause(length.multipliedBy(2));
        double threads = ManagementFactory.getThreadMXBean().getThreadCount();
        pause(length.multipliedBy(2));
        server.restart();
        double recovery = callers.millisUntilAnswered();
        callers.stop();
        Map<Metric, Double> measured = new LinkedHashMap<>();
        measured.put(LONGEST, callers.longest.get() / 1e6);
        measured.put(RECOVERY, recovery);
        measured.put(THREADS, threads);
        measured.put(HEAP, liveHeapMegabytes());
        return measured;
    }

    private static double liveHeapMegabytes() {
        ManagementFactory.getMemoryMXBean().gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
    }

    private static void pause(Duration length) {
        LockSupport.parkNanos(length.toNanos());
    }

    /** Virtual threads that call until they are stopped, a millisecond after each answer or failure. */
    private static final class Callers {
        private final AtomicLong longest = new AtomicLong();
        private final AtomicLong answered = new AtomicLong();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final CountDownLatch ended = new CountDownLatch(CALLERS);

        Callers(Runnable call) {
            for (int i = 0; i < CALLERS; i++) {
                Thread.startVirtualThread(() -> repeat(call));
            }
        }

        private void repeat(Runnable call) {
            while (!stopped.get()) {
                long start = System.nanoTime();
                try {
                    call.run();
                    answered.incrementAndGet();
                } catch (HotstateException | RedisException failed) {
                    // That is what an outage is: what counts is how long it took to know.
                }
                longest.accumulateAndGet(System.nanoTime() - start, Math::max);
                LockSupport.parkNanos(1_000_000);
            }
            ended.countDown();
        }

        double millisUntilAnswered() {
            long start = System.nanoTime();
            long before = answered.get();
            while (answered.get() == before) {
                LockSupport.parkNanos(100_000);
            }
            return (System.nanoTime() - start) / 1e6;
        }

        void stop() {
            stopped.set(true);
            try {
                ended.await();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
