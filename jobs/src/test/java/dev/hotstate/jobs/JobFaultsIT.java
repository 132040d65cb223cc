package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.jobs.graph.JobBuilder;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.store.Database;
import dev.hotstate.store.StoreUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Servers of its own, to be emptied and paused under two instances. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class JobFaultsIT {
    /** Entries of a partition's archive beyond which nothing is handed out. */
    private static final int LIMIT = 10;

    private static final Jobbing.Options NARROW = new Jobbing.Options(2, Duration.ofSeconds(1), LIMIT);

    private final RedisServer redis = RedisServer.start();
    private final PostgresServer postgres = PostgresServer.start();
    private final JobFleet fleet = new JobFleet(redis, postgres.jdbcUrl());
    private final Jobbing one = fleet.start(NARROW);
    private final Jobbing other = fleet.start(NARROW);

    @AfterAll
    void close() {
        fleet.close();
        redis.close();
        postgres.close();
    }

    @Test
    void aJobInTheMiddleOfWhichRedisWasLostEndsAndWhatWasArchivedIsNotRunAgain() throws InterruptedException {
        one.jobs().submit(layers("lost", 6, 5));
        end(layer("lost", 0, 5));
        end(layer("lost", 1, 5));
        Eventually.until("PostgreSQL has two layers", () -> archived("lost").size() == 10);
        // Held by somebody while Redis is lost.
        List<Claimed> held = layer("lost", 2, 3);

        redis.flushAll();

        try (Hands hands = new Hands(one.tasks(), "default", Hands::complete)) {
            ends("lost", JobStatus.SUCCEEDED);
            assertThat(hands.taken()).hasSize(20).doesNotHaveDuplicates();
            assertThat(hands.taken()).noneMatch(task -> task.startsWith("lost/l0-") || task.startsWith("lost/l1-"));
        }
        Eventually.until(
                "whoever held something then is refused",
                () -> other.tasks()
                        .end(held.stream().map(Hands::complete).toList(), null)
                        .endings()
                        .equals(List.of(Ended.STALE, Ended.STALE, Ended.STALE)));
        assertThat(one.jobs().find("lost").orElseThrow().counts()).containsEntry(TaskStatus.SUCCEEDED, 30);
    }

    @Test
    void aLargeJobIsLoadedOnceItsPartitionIsReady() {
        JobBuilder job = JobSpec.named("Large").id("large").queue("large");
        IntStream.rangeClosed(0, JobRebuild.LARGE).forEach(i -> job.task("t" + i, task -> {}));
        one.jobs().submit(job.build());

        redis.flushAll();

        Eventually.until(
                "all of it is there again",
                () -> one.jobs().find("large").orElseThrow().counts().get(TaskStatus.READY) == JobRebuild.LARGE + 1);
        one.jobs().cancel("large");
    }

    @Test
    void jobsThatWerePausedCancelledOrSubmittedWhileRedisWasAwayAreAsTheyShouldBe() {
        one.jobs().submit(layers("paused", 1, 1));
        one.jobs().submit(layers("cancelled", 1, 1));
        one.jobs().submit(layers("plain", 1, 1));
        redis.kill();
        one.jobs().pause("paused");
        assertThat(other.jobs().cancel("cancelled").status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(one.jobs().submit(layers("new", 2, 2)).created()).isTrue();
        assertThat(one.jobs().find("paused").orElseThrow().status()).isEqualTo(JobStatus.PAUSED);

        redis.restartEmpty();

        try (Hands hands = new Hands(other.tasks(), "default", Hands::complete)) {
            ends("plain", JobStatus.SUCCEEDED);
            ends("new", JobStatus.SUCCEEDED);
            ends("cancelled", JobStatus.CANCELLED);
            Eventually.until(
                    "Redis has the paused one",
                    () -> one.jobs().find("paused").orElseThrow().live());
            assertThat(hands.taken()).noneMatch(task -> task.startsWith("paused/") || task.startsWith("cancelled/"));
            Eventually.until("it is resumed", () -> {
                one.jobs().resume("paused");
                return true;
            });
            ends("paused", JobStatus.SUCCEEDED);
        }
    }

    @Test
    void whilePostgresIsAwayWorkGoesOnAndItsEndsArriveLater() throws InterruptedException {
        one.jobs().submit(layers("away", 3, 3));
        end(layer("away", 0, 3));
        postgres.pause();
        try {
            end(layer("away", 1, 3));
            end(layer("away", 2, 3));
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> one.jobs().submit(layers("refused", 1, 1)));
        } finally {
            postgres.resume();
        }

        ends("away", JobStatus.SUCCEEDED);
        assertThat(archived("away")).hasSize(9);
    }

    @Test
    void claimsStopWhileTooMuchWaitsForPostgres() throws InterruptedException {
        one.jobs().submit(layers("wide", 1, 60));
        postgres.pause();
        Set<String> done = new HashSet<>();
        try {
            List<Claimed> next = one.tasks().claim(wanted(1, Duration.ofSeconds(10)));
            while (!next.isEmpty()) {
                end(next);
                next.forEach(task -> done.add(task.jobId() + "/" + task.taskId()));
                next = one.tasks().claim(wanted(1, Duration.ofMillis(300)));
            }
        } finally {
            postgres.resume();
        }
        assertThat(done).hasSizeBetween(LIMIT / 2, 2 * LIMIT);

        try (Hands hands = new Hands(other.tasks(), "default", Hands::complete)) {
            ends("wide", JobStatus.SUCCEEDED);
            // On either side there may be others: what was submitted while PostgreSQL did not answer may have been
            // stored.
            assertThat(Stream.concat(done.stream(), hands.taken().stream()))
                    .filteredOn(task -> task.startsWith("wide/"))
                    .hasSize(60)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aLogThatIsPerhapsInRedisAloneHasNotEndedWhileRedisIsAway() throws InterruptedException {
        one.jobs().submit(layers("silent", 1, 1));
        end(layer("silent", 0, 1));
        one.jobs().submit(layers("followed", 2, 1));
        List<Claimed> first = layer("followed", 0, 1);
        one.tasks().log(first.getFirst().held(), List.of("a line"));
        end(first);
        Eventually.until("PostgreSQL has its end", () -> archived("followed").size() == 1);
        try (Database database = fleet.database()) {
            ends("silent", JobStatus.SUCCEEDED);
            Eventually.until(
                    "nothing of it is in Redis alone", () -> !new PostgresEnds(database).isUnretired("silent"));
        }
        redis.kill();
        try {
            assertThat(one.jobs().logs("followed", "l0-0", 0, 10).orElseThrow())
                    .isEqualTo(new LogPart(0, List.of(), 0, false));
            assertThat(one.jobs().logs("silent", "l0-0", 0, 10).orElseThrow().ended())
                    .isTrue();
            one.jobs().cancel("followed");
        } finally {
            redis.restartEmpty();
        }
        ends("followed", JobStatus.CANCELLED);
    }

    @Test
    void aJobThatRedisLostByItselfIsFoundAndLoadedAgain() {
        one.jobs().submit(layers("missing", 2, 1));
        try (Database database = fleet.database()) {
            Eventually.until(
                    "PostgreSQL knows that it is there",
                    () -> new PostgresJobs(database)
                            .find("missing")
                            .orElseThrow()
                            .published());
            // What comes from the archive later would tell PostgreSQL once more that it is.
            Eventually.until(
                    "nothing of it is on its way",
                    () -> redis.keys().stream()
                            .filter(key -> key.endsWith(":jobs:archive"))
                            .allMatch(key -> redis.commands().xlen(key) == 0));
            redis.keys().stream()
                    .filter(key -> key.contains(":missing"))
                    .forEach(key -> redis.commands().del(key));
            one.reconcile();
            assertThat(new PostgresJobs(database).find("missing").orElseThrow().published())
                    .isTrue();

            database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET look_at = now() - interval '2 min'"));
            other.reconcile();
        }

        try (Hands hands = new Hands(one.tasks(), "default", Hands::complete)) {
            ends("missing", JobStatus.SUCCEEDED);
            assertThat(hands.taken()).containsExactly("missing/l0-0", "missing/l1-0");
        }
    }

    private static JobSpec layers(String id, int layers, int width) {
        JobBuilder job = JobSpec.named("Layers").id(id);
        for (int layer = 0; layer < layers; layer++) {
            for (int task = 0; task < width; task++) {
                List<String> needs = layer == 0
                        ? List.of()
                        : IntStream.range(0, width)
                                .mapToObj(("l" + (layer - 1) + "-%d")::formatted)
                                .toList();
                job.task("l" + layer + "-" + task, built -> built.needs(needs));
            }
        }
        return job.build();
    }

    private List<Claimed> layer(String job, int layer, int width) throws InterruptedException {
        List<Claimed> all = new ArrayList<>();
        while (all.size() < width) {
            all.addAll(one.tasks().claim(wanted(width - all.size(), Duration.ofSeconds(10))));
        }
        assertThat(all)
                .allMatch(task -> task.jobId().equals(job) && task.taskId().startsWith("l" + layer + "-"));
        return all;
    }

    private void end(List<Claimed> tasks) {
        List<Ended> ended = one.tasks()
                .end(tasks.stream().map(Hands::complete).toList(), null)
                .endings();
        assertThat(ended).isEqualTo(Collections.nCopies(tasks.size(), Ended.DONE));
    }

    private Set<String> archived(String job) {
        try (var database = fleet.database()) {
            return new PostgresTasks(database)
                    .all(job).values().stream()
                            .filter(task -> task.status() == TaskStatus.SUCCEEDED)
                            .map(StoredTask::id)
                            .collect(Collectors.toSet());
        }
    }

    private static Wanted wanted(int max, Duration patience) {
        return new Wanted("tester", List.of(new Lane("default", "worker")), max, Duration.ofSeconds(60), patience);
    }

    private void ends(String id, JobStatus status) {
        Eventually.until(id + " is " + status, () -> {
            JobView job = one.jobs().find(id).orElseThrow();
            return job.status() == status && !job.live();
        });
    }
}
