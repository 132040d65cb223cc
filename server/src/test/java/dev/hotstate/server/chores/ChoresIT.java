package dev.hotstate.server.chores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.server.RunningServer;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Chore;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SettableClock;
import dev.hotstate.testkit.TcpProxy;
import dev.hotstate.testkit.Testkit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two instances with the same chore; their time is a test's, so that a lease of a minute ends when it is told to. */
@ExtendWith(Testkit.class)
class ChoresIT {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final SettableClock clock = SettableClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    private final Queue<String> runs = new ConcurrentLinkedQueue<>();
    private final AtomicInteger atIt = new AtomicInteger();
    private PostgresDatabase database;

    @BeforeEach
    void prepare(PostgresDatabase shared) {
        database = shared;
    }

    @Test
    void aChoreRunsOnceInItsTurnHoweverManyInstancesThereAre() {
        try (var redis = RedisServer.start();
                var first = new Instance("first", redis.uri(), this::note);
                var second = new Instance("second", redis.uri(), this::note)) {
            assertThat(List.of(first, second)).allMatch(Instance::isReady);
            for (int turn = 1; turn <= 5; turn++) {
                int expected = turn;
                Eventually.until("turn " + turn + " comes", runs, () -> runs.size() == expected && atIt.get() == 0);
                // Else its next turn would be counted from a time that does not come.
                Eventually.until("its next turn is set", () -> leaseEnd(redis) <= millis(EVERY));
                clock.advance(EVERY);
            }
        }
    }

    @Test
    void aChoreOfAnInstanceThatDiedIsTakenOver() throws Exception {
        var atWork = new CountDownLatch(1);
        var neverDone = new CountDownLatch(1);
        try (var redis = RedisServer.start();
                var network = TcpProxy.to(redis.port());
                var first = new Instance("first", "redis://127.0.0.1:" + network.port(), name -> {
                    atWork.countDown();
                    awaitUninterrupted(neverDone);
                })) {
            atWork.await();
            assertThat(first.isReady()).isTrue();
            try (var second = new Instance("second", redis.uri(), this::note)) {
                assertThat(second.isReady()).isTrue();
                network.cut();
                clock.advance(LEASE.minusMillis(500));
                awaitALook(redis);
                assertThat(runs).as("the first one still holds its lease").isEmpty();

                // A small step: a long one would look like a silence of Redis, after which leases are spared.
                clock.advance(Duration.ofSeconds(1));
                Eventually.until("the second one does it", runs, () -> runs.contains("second"));
            } finally {
                neverDone.countDown();
            }
        }
    }

    @Test
    void aChoreThatTakesLongerThanItsLeaseStaysWithWhoIsAtItUntilThatOneIsCutOffAndThenIsToldToStop() throws Exception {
        var lease = Duration.ofMillis(1_500);
        var atWork = new CountDownLatch(1);
        var toldToStop = new CountDownLatch(1);
        try (var redis = RedisServer.start();
                var network = TcpProxy.to(redis.port());
                var first = new Instance("first", "redis://127.0.0.1:" + network.port(), lease, name -> {
                    atWork.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException stop) {
                        toldToStop.countDown();
                    }
                })) {
            atWork.await();
            assertThat(first.isReady()).isTrue();
            try (var second = new Instance("second", redis.uri(), lease, this::note)) {
                assertThat(second.isReady()).isTrue();
                for (int step = 0; step < 4; step++) {
                    double before = leaseEnd(redis);
                    clock.advance(Duration.ofMillis(900));
                    Eventually.until("the lease is extended", () -> leaseEnd(redis) > before);
                }
                assertThat(runs).as("the first one extends its lease").isEmpty();

                network.cut();
                Eventually.until("the second one does it", runs, () -> {
                    clock.advance(Duration.ofMillis(10));
                    return runs.contains("second");
                });
                network.restore();
                toldToStop.await();
            }
        }
    }

    private double millis(Duration fromNow) {
        return clock.instant().plus(fromNow).toEpochMilli();
    }

    /** Or its next turn, when nobody is at it. */
    private static double leaseEnd(RedisServer redis) {
        return redis.commands().zscore("dev:hotstate:{s0}:chore:schedule", "sweep");
    }

    /** The first one is at its work, so it is the second that asks what is due. */
    private static void awaitALook(RedisServer redis) {
        long before = looks(redis);
        Eventually.until("it looks for work", () -> looks(redis) > before + 2);
    }

    private static long looks(RedisServer redis) {
        var asked = redis.info("commandstats").getOrDefault("cmdstat_zrange", "calls=0,");
        return Long.parseLong(asked.replaceAll("calls=(\\d+),.*", "$1"));
    }

    private void note(String instance) {
        assertThat(atIt.incrementAndGet()).isEqualTo(1);
        runs.add(instance);
        atIt.decrementAndGet();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Work {
        void run(String instance);
    }

    /** The backbone of a server, and the chores alone on it. */
    private final class Instance implements AutoCloseable {
        private final Database store;
        private final Redis redis;
        private final Events events;
        private final Incarnations incarnations;
        private final Chores running;

        Instance(String name, String redisUrl, Work work) {
            this(name, redisUrl, LEASE, work);
        }

        Instance(String name, String redisUrl, Duration lease, Work work) {
            var meters = new SimpleMeterRegistry();
            var keyspace = Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, Chores.KEYS));
            store = Database.open(
                    DatabaseOptions.of(RunningServer.urlOf(database)).withMaxConnections(3));
            store.migrate(List.of(PostgresLedger.migrations()));
            redis = Redis.connect(
                    RedisOptions.of(redisUrl).withConnections(1, 2).withClock(clock), keyspace, meters);
            events = new Events(redis, List.of("system"));
            incarnations =
                    new Incarnations(redis, new PostgresLedger(store), Incarnations.Options.of(name), state -> {});
            var backbone = new Backbone(
                    name, Settings.defaults(), redis, store, incarnations, events, meters, InstantSource.system());
            running = Chores.start(backbone, List.of(new Chore("sweep", EVERY, () -> work.run(name))), lease);
            Eventually.until("its partitions are ready", this::isReady);
        }

        boolean isReady() {
            return incarnations.allReady();
        }

        @Override
        public void close() {
            running.close();
            incarnations.close();
            events.close();
            redis.close();
            store.close();
        }
    }
}
