package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Passes;
import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transitions as they come from Redis: twice, late, out of order. */
@ExtendWith(Testkit.class)
class ArchiveIT {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final Database database;
    private final PostgresJobs jobs;
    private final PostgresTasks tasks;
    private final PostgresArchive archive;

    ArchiveIT(PostgresDatabase postgres) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withMaxConnections(3));
        database.migrate(List.of(Jobbing.migrations()));
        jobs = new PostgresJobs(database);
        tasks = new PostgresTasks(database);
        archive = new PostgresArchive(database);
    }

    @BeforeEach
    void aJob() {
        database.useHandle(handle -> handle.execute("TRUNCATE jobs_jobs, jobs_history"));
        jobs.insert(
                JobSpec.named("x")
                        .id("j")
                        .task("a", task -> {})
                        .task("b", task -> {})
                        .build(),
                NOON);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anEndIsAppliedOnceHoweverOftenItComes() {
        List<Transition> all = List.of(
                job("PENDING", 0),
                job("RUNNING", 1),
                task("a", 1, "SUCCEEDED", 2),
                task("b", 1, "FAILED", 3),
                job("FAILED", 3));

        assertThat(archive.apply(all))
                .containsExactly(new EndedJob("j", jobs.find("j").orElseThrow().number(), 1, false));
        assertThat(archive.apply(all)).isEmpty();

        StoredJob job = jobs.find("j").orElseThrow();
        assertThat(job)
                .returns(JobStatus.FAILED, StoredJob::status)
                .returns(true, StoredJob::published)
                .returns(1, StoredJob::succeeded)
                .returns(1, StoredJob::failed)
                .returns(NOON.plusSeconds(1), StoredJob::startedAt)
                .returns(NOON.plusSeconds(3), StoredJob::finishedAt);
    }

    @Test
    void aJobThatBeginsAndEndsInOneBatchIsWrittenOnceAndHasBothTimes() {
        Transition end = new Transition(
                "j", "", 1, 0, "SUCCEEDED", NOON.plusSeconds(2), NOON.plusSeconds(1), null, null, null, false);
        long before = versions();

        archive.apply(List.of(job("PENDING", 0), job("RUNNING", 1), task("a", 1, "SUCCEEDED", 2), end));

        assertThat(jobs.find("j").orElseThrow())
                .returns(JobStatus.SUCCEEDED, StoredJob::status)
                .returns(true, StoredJob::published)
                .returns(NOON.plusSeconds(1), StoredJob::startedAt)
                .returns(NOON.plusSeconds(2), StoredJob::finishedAt);
        assertThat(versions() - before).isEqualTo(1);
    }

    @Test
    void inWhateverOrderTheyComeTheLastStateStays() {
        List<Transition> history = List.of(
                task("a", 1, "DELAYED", 1),
                task("a", 2, "DELAYED", 2),
                task("a", 3, "FAILED", 3),
                task("b", 1, "DELAYED", 1),
                task("b", 2, "SUCCEEDED", 2));
        Random order = new Random(7);
        for (int round = 0; round < 20; round++) {
            database.useHandle(handle -> handle.execute("TRUNCATE jobs_history"));
            List<Transition> shuffled = new ArrayList<>(history);
            shuffled.addAll(history);
            Collections.shuffle(shuffled, order);
            int middle = order.nextInt(shuffled.size());
            archive.apply(shuffled.subList(0, middle));
            archive.apply(shuffled.subList(middle, shuffled.size()));

            assertThat(tasks.all("j").get("a"))
                    .returns(TaskStatus.FAILED, StoredTask::status)
                    .returns(3, StoredTask::attempt);
            assertThat(tasks.all("j").get("b"))
                    .returns(TaskStatus.SUCCEEDED, StoredTask::status)
                    .returns(2, StoredTask::attempt);
        }
    }

    @Test
    void aTaskWhoseEarlierAttemptHasLoggedHasALog() {
        archive.apply(List.of(task("a", 1, "DELAYED", 1).logged(true), task("a", 2, "SUCCEEDED", 2)));
        archive.apply(List.of(task("b", 1, "DELAYED", 1).logged(true)));
        archive.apply(List.of(task("b", 2, "FAILED", 2)));

        assertThat(tasks.logged("j")).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aSuccessIsFinalInItsEpoch() {
        archive.apply(List.of(task("a", 1, "SUCCEEDED", 1)));
        archive.apply(List.of(task("a", 2, "FAILED", 2)));
        archive.apply(List.of(task("b", 2, "FAILED", 2), task("b", 1, "SUCCEEDED", 1)));

        assertThat(tasks.all("j").get("a").status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(tasks.all("j").get("b").status()).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void ofTwoSuccessesTheFirstCounts() {
        archive.apply(List.of(gives("a", 1, "first")));
        archive.apply(List.of(gives("a", 1, "second"), gives("a", 2, "third")));

        assertThat(tasks.all("j").get("a").result()).isEqualTo("first");
    }

    @Test
    void whatManyTasksHaveGivenIsFoundTaskByTask() {
        List<Transition> all = new ArrayList<>();
        for (int i = 0; i < 1_200; i++) {
            all.add(gives("t-" + i, 1, (i % 100 == 0 ? "x".repeat(20_000) : "x") + i));
        }
        archive.apply(all);

        assertThat(tasks.results("j", List.of("t-0", "t-1", "t-499", "t-500", "t-1100", "t-1199", "t-1200")))
                .containsOnlyKeys("t-0", "t-1", "t-499", "t-500", "t-1100", "t-1199")
                .containsEntry("t-1", "x1")
                .containsEntry("t-1100", "x".repeat(20_000) + "1100");
        assertThat(tasks.outlines("j")).hasSize(1_200);
        assertThat(tasks.outlines("j").get("t-1100").resultLength()).isEqualTo(20_004);
    }

    @Test
    void aRerunKeepsWhatItDoesNotRunAgain() {
        archive.apply(List.of(
                task("a", 1, "DELAYED", 1).logged(true),
                gives("a", 2, "kept"),
                task("b", 1, "FAILED", 3),
                job("FAILED", 3)));
        new PostgresControl(database).rerun("j", job -> List.of("b"));

        assertThat(tasks.all("j")).containsOnlyKeys("a");
        assertThat(tasks.all("j").get("a"))
                .returns("kept", StoredTask::result)
                .returns(2, StoredTask::attempt)
                .returns(NOON.plusSeconds(2), StoredTask::finishedAt)
                .returns(true, StoredTask::logged);
    }

    @Test
    void whatIsOfAnotherEpochIsPassedOver() {
        archive.apply(List.of(task("a", 1, "SUCCEEDED", 1), task("b", 1, "FAILED", 1), job("FAILED", 2)));
        new PostgresControl(database).rerun("j", job -> List.of("b"));

        archive.apply(List.of(task("a", 2, "FAILED", 3), task("b", 1, "FAILED", 1), job("FAILED", 2)));

        assertThat(jobs.find("j").orElseThrow())
                .returns(2, StoredJob::epoch)
                .returns(JobStatus.PENDING, StoredJob::status)
                .returns(false, StoredJob::published);
        assertThat(tasks.all("j")).containsOnlyKeys("a");
        assertThat(tasks.all("j").get("a").status()).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void aTextThatPostgresCannotHoldDoesNotHoldUpTheOthers() {
        archive.apply(List.of(
                new Transition("j", "a", 1, 1, "FAILED", NOON, NOON, "work\u0000er", "err\u0000or", null, false)));

        assertThat(tasks.all("j").get("a").error()).isEqualTo("err\uFFFDor");
    }

    @Test
    void anErrorDoesNotEndTheArchiving(RedisServer redis) {
        AtomicInteger told = new AtomicInteger();
        try (RedisBench bench = new RedisBench(redis);
                Archiver archiver = archiver(bench.archive, bench, archive, change -> {
                    if (told.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("as if the batch were too large");
                    }
                })) {
            bench.load(new Flow("j").task("a"));
            archiver.start();
            Eventually.until("it has failed", () -> told.get() > 0);
            bench.succeed(bench.claimOne());

            Eventually.until(
                    "the end is there", () -> jobs.find("j").orElseThrow().hasEnded());
        }
    }

    @Test
    void howMuchWaitsIsShownAlsoWhilePostgresIsAway(RedisServer redis, PostgresDatabase postgres) {
        Database away = Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withMaxConnections(1));
        away.close();
        try (RedisBench bench = new RedisBench(redis);
                Archiver archiver = archiver(bench.archive, bench, new PostgresArchive(away), change -> {})) {
            bench.load(new Flow("j").task("a"));
            bench.clock.advance(Duration.ofMinutes(1));
            archiver.start();

            Eventually.until("it is shown", () -> archiver.lag().equals(new ArchiveLag(1, Duration.ofMinutes(1))));
        }
    }

    @Test
    void whatWasAppliedIsNotAppliedAgainBecauseRedisDidNotHearOfItAtOnce(RedisServer redis) {
        AtomicInteger told = new AtomicInteger();
        AtomicInteger unheard = new AtomicInteger();
        try (RedisBench bench = new RedisBench(redis)) {
            Passes shaky = partition -> {
                if (told.get() == 1 && unheard.getAndIncrement() == 0) {
                    throw new HotstateException("as if Redis were away");
                }
                return bench.passes.of(partition);
            };
            bench.load(new Flow("j").task("a"));
            try (Archiver archiver =
                    archiver(new RedisArchive(bench.redis, shaky), bench, archive, change -> told.incrementAndGet())) {
                archiver.start();

                String waiting = "dev:hotstate:" + bench.partition + ":jobs:archive";
                Eventually.until("Redis has heard of it", () -> redis.commands().xlen(waiting) == 0);
            }
        }
        assertThat(unheard).hasPositiveValue();
        assertThat(told).hasValue(1);
    }

    private static Archiver archiver(
            RedisArchive redis, RedisBench bench, PostgresArchive postgres, Consumer<JobChange> onChange) {
        return new Archiver(redis, postgres, bench.partitions, "here", ended -> {}, onChange);
    }

    /** Each version of a row takes the next place of its page. */
    private long versions() {
        return database.withHandle(
                handle -> handle.createQuery("SELECT (ctid::text::point)[1]::bigint FROM jobs_jobs WHERE id = 'j'")
                        .mapTo(Long.class)
                        .one());
    }

    private static Transition job(String state, int second) {
        Instant at = NOON.plusSeconds(second);
        return new Transition("j", "", 1, 0, state, at, null, null, null, null, false);
    }

    private static Transition gives(String id, int attempt, String result) {
        Instant at = NOON.plusSeconds(attempt);
        return new Transition("j", id, 1, attempt, "SUCCEEDED", at, at, "worker-1", null, result, false);
    }

    private static Transition task(String id, int attempt, String state, int second) {
        Instant at = NOON.plusSeconds(second);
        return new Transition("j", id, 1, attempt, state, at, at, "worker-1", null, null, false);
    }
}
