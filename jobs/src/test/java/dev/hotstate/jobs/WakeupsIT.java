package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Passes;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who waits for tasks hears of them, in this process and in another, also when nobody tells. */
@ExtendWith(Testkit.class)
class WakeupsIT {
    private final RedisServer target;
    private RedisBench here;

    WakeupsIT(RedisServer target) {
        this.target = target;
    }

    @BeforeEach
    void open() {
        here = new RedisBench(target);
    }

    @AfterEach
    void close() {
        here.close();
    }

    @Test
    void oneWhoWaitsGetsATaskAsSoonAsItsJobIsLoaded() {
        CompletableFuture<List<Claimed>> waiting = waits(here);

        here.load(new Flow("job").task("a"));

        assertThat(waiting.join()).extracting(Claimed::taskId).containsExactly("a");
    }

    @Test
    void oneWhoWaitsElsewhereHearsOfATaskThatAnEndingMadeReady() {
        here.load(new Flow("job").task("a").task("b", "a"));
        Claimed a = here.claimOne();
        try (RedisBench elsewhere = here.another(target)) {
            CompletableFuture<List<Claimed>> waiting = waits(elsewhere);

            here.succeed(a);

            assertThat(waiting.join()).extracting(Claimed::taskId).containsExactly("b");
        }
    }

    @Test
    void aTaskThatIsDueIsFoundByWhoTendsThePartition() {
        here.load(new Flow("job").task("a", Flow.retries(1)));
        here.fail(here.claimOne());
        CompletableFuture<List<Claimed>> waiting = waits(here);

        here.clock.advance(Duration.ofSeconds(10));
        here.tender.start();

        assertThat(waiting.join()).extracting(Claimed::attempt).containsExactly(2);
    }

    @Test
    void anErrorDoesNotEndTheTending() {
        AtomicInteger rounds = new AtomicInteger();
        Passes failing = partition -> {
            if (rounds.getAndIncrement() == 0) {
                throw new OutOfMemoryError("as if there were too much to do");
            }
            return here.passes.of(partition);
        };
        RedisAdvance advance = new RedisAdvance(here.redis, failing, here.wakeups, () -> 0);
        try (Tender tender = new Tender(advance, here.partitions.all(), here.wakeups, here.unlimited)) {
            tender.start();

            Eventually.until("it has tended again", () -> rounds.get() > 1);
        }
    }

    @Test
    void oneWhoIsCalledBackWaitsNoLongerAndTakesNothing() throws InterruptedException {
        Recall recall = new Recall();
        CompletableFuture<List<Claimed>> waiting = waits(here, recall);

        recall.now();

        assertThat(waiting.join()).isEmpty();
        here.load(new Flow("job").task("a"));
        Wanted wanted = wanted(1, Duration.ofSeconds(30));
        assertThat(here.tasks.claim(wanted, recall)).isEmpty();
        assertThat(here.claimOne().attempt()).isEqualTo(1);
    }

    @Test
    void whatIsHandedOutWhileOneIsCalledBackReachesIt() throws InterruptedException {
        here.load(new Flow("job").task("a"));
        Recall recall = new Recall();
        RedisAdvance meanwhile = new RedisAdvance(here.redis, here.passes, here.wakeups, () -> {
            recall.now();
            return 0;
        });
        RedisTasks tasks = new RedisTasks(
                here.redis,
                here.passes,
                here.partitions,
                here.wakeups,
                meanwhile,
                new RedisTasks.Options(Permits.NONE, 1_000_000));
        Wanted wanted = wanted(1, Duration.ofSeconds(30));

        assertThat(tasks.claim(wanted, recall)).extracting(Claimed::taskId).containsExactly("a");
    }

    @Test
    void whoBeginsToWaitSaysSoOnceAndWhoFindsATaskDoesNotWait() throws InterruptedException {
        AtomicInteger began = new AtomicInteger();
        Recall recall = new Recall(own -> began.incrementAndGet());
        here.load(new Flow("job").task("a"));
        Wanted wanted = wanted(1, Duration.ofSeconds(30));

        assertThat(here.tasks.claim(wanted, recall)).hasSize(1);
        assertThat(began).hasValue(0);

        CompletableFuture<List<Claimed>> waiting = waits(here, recall);
        here.load(new Flow("other").task("b"));
        assertThat(waiting.join()).extracting(Claimed::taskId).containsExactly("b");
        assertThat(began).hasValue(1);
    }

    @Test
    void oneWhoIsCalledBackAsItBeginsToWaitDoesNotWait() throws InterruptedException {
        Wanted wanted = wanted(1, Duration.ofHours(1));

        assertThat(here.tasks.claim(wanted, new Recall(Recall::now))).isEmpty();
    }

    @Test
    void whatBecomesReadyElsewhereBetweenTwoClaimsIsHeardOf() throws InterruptedException {
        here.load(new Flow("first").task("a"));
        try (RedisBench elsewhere = here.another(target);
                Tasks.Claimer claimer = here.tasks.claimer(new Recall())) {
            assertThat(claimer.claim(wanted(5, Duration.ZERO))).hasSize(1);

            elsewhere.load(new Flow("second").task("b"));

            assertThat(claimer.claim(wanted(1, Duration.ofSeconds(30))))
                    .extracting(Claimed::taskId)
                    .containsExactly("b");
        }
    }

    @Test
    void whoHasFoundAllThatThereWasWaitsWithoutAskingUntilItHasWaitedInVain() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        RedisAdvance counted =
                new RedisAdvance(here.redis, here.passes, here.wakeups, () -> 0 * asked.incrementAndGet());
        RedisTasks tasks = new RedisTasks(
                here.redis,
                here.passes,
                here.partitions,
                here.wakeups,
                counted,
                new RedisTasks.Options(Permits.NONE, 1_000_000));
        int partitions = here.partitions.all().size();
        here.load(new Flow("job").task("a"));
        try (Tasks.Claimer claimer = tasks.claimer(new Recall())) {
            assertThat(claimer.claim(wanted(5, Duration.ZERO))).hasSize(1);
            assertThat(claimer.claim(wanted(1, Duration.ofMillis(50)))).isEmpty();
            assertThat(asked).hasValue(partitions);

            assertThat(claimer.claim(wanted(1, Duration.ofMillis(50)))).isEmpty();
            assertThat(asked).hasValue(2 * partitions);
        }
    }

    @Test
    void patienceHasAnEnd() throws InterruptedException {
        assertThat(here.tasks.claim(wanted(1, Duration.ofMillis(50)))).isEmpty();
        assertThat(here.wakeups.awaited()).isEmpty();
    }

    @Test
    void manyStepsAreWorkedOffWithoutAnyWorker() {
        here.tender.start();
        Flow wide = new Flow("wide");
        for (int i = 0; i < 3_000; i++) {
            wide.task("t" + i);
        }
        here.load(wide);

        Eventually.until(
                "all are ready",
                () -> here.job("wide").counts().get(dev.hotstate.jobs.graph.TaskStatus.READY) == 3_000);
    }

    @Test
    void whoTendsGoesOnAfterSomethingUnexpected() {
        AtomicInteger rounds = new AtomicInteger();
        RedisAdvance fragile = new RedisAdvance(here.redis, here.passes, here.wakeups, () -> {
            if (rounds.incrementAndGet() == 1) {
                throw new IllegalStateException("unexpected");
            }
            return 0;
        });
        try (Tender tender = new Tender(fragile, here.partitions.all(), here.wakeups, here.unlimited)) {
            tender.start();

            Eventually.until("there was another round", () -> rounds.get() > 1);
        }
    }

    private CompletableFuture<List<Claimed>> waits(RedisBench bench) {
        return waits(bench, new Recall());
    }

    private CompletableFuture<List<Claimed>> waits(RedisBench bench, Recall recall) {
        Wanted wanted = new Wanted("waiter", List.of(RedisBench.DEFAULT), 5, RedisBench.LEASE, Duration.ofSeconds(30));
        CompletableFuture<List<Claimed>> claimed = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                claimed.complete(bench.tasks.claim(wanted, recall));
            } catch (InterruptedException | RuntimeException failed) {
                claimed.completeExceptionally(failed);
            }
        });
        String waiting = "dev:hotstate:" + bench.partition + ":jobs:waiting";
        Eventually.until("it waits", () -> target.commands().exists(waiting) == 1);
        return claimed;
    }

    private static Wanted wanted(int max, Duration patience) {
        return new Wanted("w", List.of(RedisBench.DEFAULT), max, RedisBench.LEASE, patience);
    }
}
