package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Due;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisSnapshot;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever happens to a Redis under two running instances: it is noticed, rebuilt once, and nothing acts on half of it. */
@ExtendWith(Testkit.class)
class IncarnationsIT {
    private static final int ERRANDS = 1_050;
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final Consumer<String> UNDISTURBED = cursor -> {};

    private final Partition partition = new Partition("e0");
    private final List<Partition> partitions = List.of(partition);
    private final RedisServer redis = RedisServer.start("appendonly yes");
    private final DatabaseUrl database;

    private final PostgresServer postgres;

    IncarnationsIT(PostgresServer postgres) {
        this.postgres = postgres;
        this.database = Urls.of(postgres.freshDatabase());
    }

    @BeforeEach
    void storeErrands() {
        ErrandServer.store(database, partition, ERRANDS);
    }

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void aFirstStartLoadsEverythingOnce() {
        try (ErrandServer one = server("one");
                ErrandServer two = server("two")) {
            awaitReady(1, one, two);

            assertThat(claimAll(one)).hasSize(ERRANDS);
            assertThat(one.pagesLoaded.get() + two.pagesLoaded.get()).isEqualTo(ERRANDS / ErrandServer.PAGE + 1);
        }
    }

    @Test
    void aRestartOfTheInstancesRebuildsNothing() {
        try (ErrandServer one = server("one")) {
            awaitReady(1, one);
        }
        try (ErrandServer again = server("one")) {
            awaitReady(1, again);
            assertThat(again.pagesLoaded).hasValue(0);
        }
    }

    @Test
    void aFlushedRedisIsRebuilt() {
        isRebuiltAfter(redis::flushAll);
    }

    @Test
    void aReplacedRedisIsRebuilt() {
        isRebuiltAfter(redis::restartEmpty);
    }

    @Test
    void aRestartedRedisIsRebuiltBecauseItMayHaveLostItsLastSecond() {
        isRebuiltAfter(redis::restart);
    }

    @Test
    void anOldCopyIsRebuilt() {
        try (ErrandServer one = server("one");
                ErrandServer two = server("two")) {
            awaitReady(1, one, two);
            RedisSnapshot old = redis.snapshot();
            List<Claim> done = one.agenda.claim(partition, 100, LEASE).claims();
            one.agenda.done(done);

            redis.restore(old);

            awaitReady(2, one, two);
            assertThat(claimAll(two)).hasSize(ERRANDS);
        }
    }

    @Test
    void aHashThatWasPutBackByHandIsNoticedByItsBeat() {
        try (ErrandServer one = server("one")) {
            awaitReady(1, one);
            String key = "test:errands:{e0}:incarnation";
            var old = redis.commands().dump(key);
            Eventually.until(
                    "it beats",
                    () -> !redis.commands().hget(key, "beat").isEmpty()
                            && java.util.Arrays.compare(redis.commands().dump(key), old) != 0);

            redis.commands()
                    .restore(
                            key, old, io.lettuce.core.RestoreArgs.Builder.ttl(0).replace(true));

            awaitReady(2, one);
        }
    }

    @Test
    void theClaimsOfALostIncarnationAreRefused() {
        try (ErrandServer one = server("one")) {
            awaitReady(1, one);
            List<Claim> before = one.agenda.claim(partition, 10, LEASE).claims();

            redis.flushAll();
            awaitReady(2, one);

            assertThat(one.agenda.done(before)).isEqualTo(before);
            assertThat(claimAll(one)).hasSize(ERRANDS);
        }
    }

    @Test
    void nobodyActsWhileAPartitionIsHalfBuilt() throws Exception {
        CountDownLatch half = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Consumer<String> stopInTheMiddle = cursor -> {
            if (cursor.compareTo("e0-00500") >= 0) {
                half.countDown();
                await(goOn);
            }
        };
        try (ErrandServer one = new ErrandServer("one", redis.uri(), database, partitions, stopInTheMiddle);
                ErrandServer two = new ErrandServer("two", redis.uri(), database, partitions, stopInTheMiddle)) {
            await(half);
            for (ErrandServer server : List.of(one, two)) {
                assertThatThrownBy(() -> server.agenda.claim(partition, 1, LEASE))
                        .isInstanceOf(RebuildingException.class);
                assertThatThrownBy(() -> server.agenda.put(partition, "x", Due.now()))
                        .isInstanceOf(RebuildingException.class);
            }
            Eventually.until(
                    "a part is loaded",
                    () -> one.incarnations.states().getFirst().rebuilt() >= 500);

            goOn.countDown();

            awaitReady(1, one, two);
            assertThat(claimAll(two)).hasSize(ERRANDS);
        }
    }

    @Test
    void aDeadRebuildersWorkIsTakenUpWhereItStopped() {
        CountDownLatch half = new CountDownLatch(1);
        Consumer<String> dieInTheMiddle = cursor -> {
            if (cursor.compareTo("e0-00500") >= 0) {
                half.countDown();
                await(new CountDownLatch(1));
            }
        };
        Duration lease = Duration.ofMillis(500);
        try (ErrandServer dead = new ErrandServer("dead", redis.uri(), database, partitions, lease, dieInTheMiddle)) {
            await(half);
            dead.incarnations.close();
            try (ErrandServer heir = new ErrandServer("heir", redis.uri(), database, partitions, lease, UNDISTURBED)) {
                awaitReady(1, heir);

                assertThat(dead.pagesLoaded).hasValue(5);
                assertThat(heir.pagesLoaded).hasValue(ERRANDS / ErrandServer.PAGE + 1 - 5);
                assertThat(claimAll(heir)).hasSize(ERRANDS);
            }
        }
    }

    @Test
    void aRebuildThatLostItsRedisBeginsAgainAlsoWhenTheNextOneFailsAtOnce() {
        CountDownLatch half = new CountDownLatch(1);
        AtomicInteger starts = new AtomicInteger();
        Consumer<String> loseRedisInTheMiddleAndThenFailOnce = cursor -> {
            if (cursor.isEmpty() && starts.incrementAndGet() == 2) {
                throw new IllegalStateException("PostgreSQL hiccups before the first page");
            }
            if (cursor.compareTo("e0-00500") >= 0 && half.getCount() > 0) {
                redis.flushAll();
                half.countDown();
            }
        };
        Duration lease = Duration.ofMillis(500);
        try (ErrandServer one = new ErrandServer(
                "one", redis.uri(), database, partitions, lease, loseRedisInTheMiddleAndThenFailOnce)) {
            awaitReady(1, one);

            assertThat(starts).hasValue(3);
            assertThat(claimAll(one)).hasSize(ERRANDS);
        }
    }

    @Test
    void anErrorInTheMiddleOfARebuildDoesNotEndIt() {
        AtomicInteger pages = new AtomicInteger();
        Consumer<String> failing = cursor -> {
            if (pages.getAndIncrement() == 1) {
                throw new OutOfMemoryError("as if the page were too large");
            }
        };
        Duration soon = Duration.ofSeconds(1);
        try (ErrandServer one = new ErrandServer("one", redis.uri(), database, partitions, soon, failing)) {
            awaitReady(1, one);

            assertThat(claimAll(one)).hasSize(ERRANDS);
        }
    }

    @Test
    void anInstanceThatWasSilentWhileThePartitionsChangedActsNoMore() {
        try (ErrandServer silent = server("silent")) {
            awaitReady(1, silent);
            try (Database ledger = Database.open(DatabaseOptions.of(database).withMaxConnections(1))) {
                ledger.useHandle(
                        handle -> handle.execute(
                                "INSERT INTO hotstate_partition"
                                        + " (feature, tag, incarnation, ready, reason) VALUES ('errands', 'e9', 1, false, 'it is new')"));
            }

            Eventually.until("it is not ready any more", () -> !silent.incarnations.allReady());
            assertThatThrownBy(() -> silent.agenda.claim(partition, 1, LEASE)).isInstanceOf(RebuildingException.class);
        }
    }

    @Test
    void aZombieRebuilderIsRefused() {
        CountDownLatch asleep = new CountDownLatch(1);
        CountDownLatch wake = new CountDownLatch(1);
        Consumer<String> sleepInTheMiddle = cursor -> {
            if (cursor.compareTo("e0-00500") >= 0 && asleep.getCount() > 0) {
                asleep.countDown();
                await(wake);
            }
        };
        Duration lease = Duration.ofMillis(500);
        try (ErrandServer zombie =
                        new ErrandServer("zombie", redis.uri(), database, partitions, lease, sleepInTheMiddle);
                ErrandServer heir = new ErrandServer("heir", redis.uri(), database, partitions, lease, UNDISTURBED)) {
            await(asleep);
            awaitReady(1, heir);
            Set<String> errands = claimAll(heir);
            assertThat(errands).hasSize(ERRANDS);
            long due = heir.agenda.depth(partition).due();

            wake.countDown();

            awaitReady(1, zombie);
            assertThat(heir.agenda.depth(partition).due())
                    .as("the zombie made nothing due again")
                    .isEqualTo(due);
            assertThat(zombie.pagesLoaded).as("its next page was refused").hasValue(5);
        }
    }

    @Test
    void aRedisThatIsAheadOfPostgresBeginsAnewAboveIt() {
        try (ErrandServer one = server("one")) {
            awaitReady(1, one);
        }
        redis.commands().hset("test:errands:{e0}:incarnation", "pass", "41");
        try (ErrandServer one = server("one")) {
            awaitReady(42, one);
            assertThat(claimAll(one)).hasSize(ERRANDS);
        }
    }

    @Test
    void anotherNumberOfPartitionsIsRefusedWhileOthersLiveAndRebuiltWhenTheyAreGone() {
        List<Partition> more = Partition.spread("e", 2);
        try (ErrandServer one = server("one")) {
            awaitReady(1, one);
            assertThatThrownBy(() -> new ErrandServer("two", redis.uri(), database, more, UNDISTURBED))
                    .isInstanceOf(HotstateException.class)
                    .hasMessageContaining("1 partitions in use by one")
                    .hasMessageContaining("configured with 2");
        }
        List<Partition> others = List.of(new Partition("f0"));
        // The same instance, restarted with another configuration, is not "others".
        try (ErrandServer one = new ErrandServer("one", redis.uri(), database, others, UNDISTURBED)) {
            Eventually.until(
                    "one partition is ready",
                    () -> one.incarnations.states().size() == 1 && one.incarnations.allReady());
            assertThat(redis.keys()).as("what is left of the old partition").noneMatch(key -> key.contains("{e0}"));
        }
    }

    @Test
    void anotherInstallationOnTheSameRedisWaitsUntilTheFirstHasGone() {
        DatabaseUrl another = Urls.of(postgres.freshDatabase());
        ErrandServer.store(another, partition, 7);
        ErrandServer first = server("one");
        awaitReady(1, first);
        try (ErrandServer stranger =
                new ErrandServer("two", redis.uri(), another, partitions, Duration.ofMillis(500), UNDISTURBED)) {
            awaitReady(1, first);
            Eventually.until(
                    "the stranger says what hinders it",
                    () -> stranger.incarnations.states().stream()
                            .allMatch(state -> !state.ready() && state.reason().contains("another installation")));
            assertThat(claimAll(first)).hasSize(ERRANDS);
            assertThat(first.incarnationOf(partition)).isEqualTo(1);

            first.close();
            Eventually.until("the stranger has it now", stranger.incarnations::allReady);
            assertThat(claimAll(stranger)).hasSize(7);
        } finally {
            first.close();
        }
    }

    private void isRebuiltAfter(Runnable loss) {
        try (ErrandServer one = server("one");
                ErrandServer two = server("two")) {
            awaitReady(1, one, two);
            int before = one.pagesLoaded.get() + two.pagesLoaded.get();

            loss.run();

            awaitReady(2, one, two);
            int pages = one.pagesLoaded.get() + two.pagesLoaded.get() - before;
            assertThat(pages).as("one rebuild, by one of them").isEqualTo(ERRANDS / ErrandServer.PAGE + 1);
            assertThat(claimAll(two)).hasSize(ERRANDS);
        }
    }

    private ErrandServer server(String name) {
        return new ErrandServer(name, redis.uri(), database, partitions, UNDISTURBED);
    }

    private void awaitReady(long incarnation, ErrandServer... servers) {
        for (ErrandServer server : servers) {
            Eventually.until(
                    "it is ready in this incarnation",
                    () -> server.incarnations.allReady() && server.incarnationOf(partition) == incarnation);
        }
    }

    private Set<String> claimAll(ErrandServer server) {
        Set<String> ids = new TreeSet<>();
        List<Claim> claims;
        do {
            claims = server.agenda.claim(partition, 500, LEASE).claims();
            claims.forEach(claim -> assertThat(ids.add(claim.id())).isTrue());
        } while (!claims.isEmpty());
        return ids;
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("waited in vain");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
