package dev.hotstate.jobs;

import static dev.hotstate.jobs.graph.TaskStatus.CANCELLED;
import static dev.hotstate.jobs.graph.TaskStatus.FAILED;
import static dev.hotstate.jobs.graph.TaskStatus.READY;
import static dev.hotstate.jobs.graph.TaskStatus.SKIPPED;
import static dev.hotstate.jobs.graph.TaskStatus.SUCCEEDED;
import static dev.hotstate.jobs.graph.TaskStatus.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.Slice;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobBuilder;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.jobs.graph.Trigger;
import dev.hotstate.store.Database;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two instances; each test has a queue of its own. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class JobbingIT {
    private RedisServer server;
    private JobFleet fleet;
    private Jobbing one;
    private Jobbing other;

    @BeforeAll
    void start(RedisServer redis, PostgresDatabase postgres) {
        server = redis;
        fleet = new JobFleet(redis, postgres.jdbcUrl());
        one = fleet.start();
        other = fleet.start();
    }

    @AfterAll
    void close() {
        fleet.close();
    }

    @Test
    void aJobRunsToItsEndAndStaysInPostgres() {
        try (Hands hands = new Hands(other.tasks(), "to-its-end", Hands::complete)) {
            JobView submitted = one.jobs().submit(diamond("to-its-end").build()).job();

            assertThat(submitted.status()).isEqualTo(JobStatus.PENDING);
            ends(submitted.id(), JobStatus.SUCCEEDED);
            assertThat(hands.taken()).hasSize(4).doesNotHaveDuplicates();
        }
        JobView ended = one.jobs().find("to-its-end").orElseThrow();
        assertThat(ended.counts()).containsEntry(SUCCEEDED, 4).containsEntry(WAITING, 0);
        assertThat(ended.startedAt()).isBetween(ended.createdAt().minusSeconds(5), ended.finishedAt());
        Eventually.until("Redis has let go of it", () -> isGone("to-its-end"));
        assertThat(one.jobs().tasks("to-its-end", null, 10, null).items())
                .allMatch(task -> task.status() == SUCCEEDED && task.attempt() == 1)
                .extracting(TaskView::result)
                .containsExactly("\"a\"", "\"b\"", "\"c\"", "\"d\"");
    }

    @Test
    void theSameIdAndTheSameKeyAreTheSameJob() {
        JobSpec job = diamond("same").idempotencyKey("key-1").build();

        assertThat(one.jobs().submit(job).created()).isTrue();
        assertThat(other.jobs().submit(job).created()).isFalse();
        assertThat(one.jobs().submit(diamond("another").idempotencyKey("key-1").build()))
                .returns(false, Jobs.Submitted::created)
                .returns("same", again -> again.job().id());
        assertThat(one.jobs().find("another")).isEmpty();
    }

    @Test
    void whatACrashLeftUnpublishedIsPublishedByAnyInstance() {
        try (Database database = fleet.database();
                Hands hands = new Hands(one.tasks(), "leftover", Hands::complete)) {
            new PostgresJobs(database).insert(diamond("leftover").build(), Instant.now());

            ends("leftover", JobStatus.SUCCEEDED);
            assertThat(hands.taken()).hasSize(4);
        }
    }

    @Test
    void aRepeatedSubmissionPublishesBeforeItAnswers() {
        try (Database database = fleet.database()) {
            JobSpec job = diamond("repeated").build();
            new PostgresJobs(database).insert(job, Instant.now());

            JobView again = one.jobs().submit(job).job();

            assertThat(again.live()).isTrue();
            assertThat(again.counts()).containsEntry(READY, 1);
        }
    }

    @Test
    void whatFailedIsRunAgainUnderANewEpochAndTheResultsOfTheOthersStay() {
        JobSpec job = diamond("again")
                .task("e", task -> task.needs("b").trigger(Trigger.ALL_DONE))
                .build();
        try (Hands hands = new Hands(
                one.tasks(), "again", task -> task.taskId().equals("b") ? Hands.fail(task) : Hands.complete(task))) {
            one.jobs().submit(job);
            ends("again", JobStatus.FAILED);
            assertThat(hands.taken()).hasSize(4);
        }
        assertThat(states("again"))
                .isEqualTo(Map.of("a", SUCCEEDED, "b", FAILED, "c", SUCCEEDED, "d", SKIPPED, "e", SUCCEEDED));
        assertThat(one.jobs().task("again", "b").orElseThrow().error()).isEqualTo("it broke");
        assertThat(one.jobs().why("again", "d").orElseThrow().reason()).contains("b is FAILED");

        try (Hands hands = new Hands(other.tasks(), "again", Hands::complete)) {
            JobView begun = one.jobs().rerun("again", new Rerun.FromFailed());
            assertThat(begun.epoch()).isEqualTo(2);
            ends("again", JobStatus.SUCCEEDED);

            assertThat(hands.taken()).containsExactly("again/b", "again/d");
        }
        assertThat(one.jobs().task("again", "a").orElseThrow().result()).isEqualTo("\"a\"");
        assertThat(one.jobs().find("again").orElseThrow().counts()).containsEntry(SUCCEEDED, 5);
    }

    @Test
    void fromATaskEverythingThatDependsOnItRunsAgain() {
        try (Hands hands = new Hands(one.tasks(), "from-task", Hands::complete)) {
            one.jobs().submit(diamond("from-task").build());
            ends("from-task", JobStatus.SUCCEEDED);

            one.jobs().rerun("from-task", new Rerun.FromTask("b"));
            Eventually.until("it has run again", hands, () -> hands.taken().size() == 6);
            ends("from-task", JobStatus.SUCCEEDED);
            assertThat(hands.taken().subList(4, 6)).containsExactly("from-task/b", "from-task/d");
        }
        assertThatExceptionOfType(UnknownJobException.class)
                .isThrownBy(() -> one.jobs().rerun("from-task", new Rerun.FromTask("x")));
        assertThatExceptionOfType(JobStateException.class)
                .isThrownBy(() -> one.jobs().rerun("from-task", new Rerun.FromFailed()));
    }

    @Test
    void aCancelledJobHasEndedAndWhoeverIsAtItIsRefused() throws InterruptedException {
        one.jobs().submit(diamond("cancelled").build());
        Claimed held = claim("cancelled");

        assertThat(other.jobs().cancel("cancelled").status()).isEqualTo(JobStatus.CANCELLED);

        assertThat(one.tasks().end(List.of(Hands.complete(held)), null).endings())
                .containsExactly(Ended.STALE);
        ends("cancelled", JobStatus.CANCELLED);
        assertThat(states("cancelled").values()).containsOnly(CANCELLED);
        assertThat(one.jobs().find("cancelled").orElseThrow().counts()).containsEntry(CANCELLED, 4);
        Eventually.until(
                "PostgreSQL has its end",
                () -> !one.jobs().find("cancelled").orElseThrow().live());
        assertThat(one.jobs().cancel("cancelled").status()).isEqualTo(JobStatus.CANCELLED);
        assertThatExceptionOfType(JobStateException.class)
                .isThrownBy(() -> one.jobs().resume("cancelled"));
        assertThatExceptionOfType(UnknownJobException.class)
                .isThrownBy(() -> one.jobs().cancel("nobody"));
    }

    @Test
    void aJobThatRunsAgainCanBeCancelledBeforeAnybodyHasPublishedIt() {
        try (Hands hands = new Hands(one.tasks(), "twice", Hands::complete)) {
            one.jobs().submit(diamond("twice").build());
            ends("twice", JobStatus.SUCCEEDED);
            assertThat(hands.taken()).hasSize(4);
        }
        try (Database database = fleet.database()) {
            new PostgresControl(database).rerun("twice", job -> List.of("d"));
        }

        assertThat(one.jobs().cancel("twice").status()).isEqualTo(JobStatus.CANCELLED);
        ends("twice", JobStatus.CANCELLED);
        assertThat(states("twice")).containsEntry("c", SUCCEEDED).containsEntry("d", CANCELLED);
    }

    @Test
    void ofAPausedJobNothingBeginsUntilItIsResumed() {
        one.jobs().submit(diamond("paused").build());
        assertThat(one.jobs().pause("paused").status()).isEqualTo(JobStatus.PAUSED);
        assertThat(one.jobs().list(JobStatus.PAUSED, "paused", 10, null).items())
                .extracting(JobView::id)
                .containsExactly("paused");

        try (Hands hands = new Hands(other.tasks(), "paused", Hands::complete)) {
            Eventually.until(
                    "it came up and was put aside",
                    () -> one.jobs().why("paused", "a").orElseThrow().reason().contains("paused"));
            assertThat(hands.taken()).isEmpty();

            other.jobs().resume("paused");
            ends("paused", JobStatus.SUCCEEDED);
        }
    }

    @Test
    void aJobThatIsResumedHalfwayIsShownAsRunningAtOnce() throws InterruptedException {
        one.jobs().submit(diamond("halfway").build());
        Claimed held = claim("halfway");
        one.jobs().pause("halfway");
        one.tasks().end(List.of(new Ending.Completed(held.held(), null)), null);

        assertThat(one.jobs().resume("halfway"))
                .returns(JobStatus.RUNNING, JobView::status)
                .returns(true, JobView::live);
    }

    @Test
    void whatRedisDoesNotDoThoughItWasToldIsToldAgain() {
        one.jobs().submit(diamond("deaf").build());
        one.jobs().pause("deaf");
        try (Database database = fleet.database()) {
            database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET intent = 'none', told = true,"
                    + " published = true, look_at = now() - interval '2 min' WHERE id = 'deaf'"));
        }
        assertThat(inRedis("deaf")).isEqualTo("PAUSED");

        one.reconcile();

        Eventually.until("it goes on", () -> inRedis("deaf").equals("PENDING"));
        one.jobs().cancel("deaf");
    }

    @Test
    void allEndedJobsAreRetiredButForThoseThatCannotBe() {
        one.jobs().submit(diamond("zombie").build());
        try (Database database = fleet.database()) {
            Eventually.until(
                    "PostgreSQL knows that it is there",
                    () -> new PostgresJobs(database)
                            .find("zombie")
                            .orElseThrow()
                            .published());
            database.useHandle(handle -> {
                handle.execute("""
                        INSERT INTO jobs_jobs (id, hash, name, created_by, priority, queue, tasks, look_at, created_at,
                            document, status, finished_at)
                        SELECT 'ended-' || n, 1, 'ended', 'ada', 0, 'default', 1, now(), now(),
                            CASE WHEN n = 7 THEN 'nonsense' ELSE (SELECT document FROM jobs_jobs WHERE id = 'zombie') END,
                            'SUCCEEDED', now() - interval '1 h' - n * interval '1 s'
                        FROM generate_series(1, 450) AS n""");
                handle.execute("UPDATE jobs_jobs SET status = 'FAILED', finished_at = now() - interval '2 min'"
                        + " WHERE id = 'zombie'");
            });

            // What could not be retired because Redis was slow is left to the next time.
            Eventually.until("all others are retired", () -> {
                one.retireForgotten();
                return notRetired(database).equals(List.of("ended-7"));
            });
            database.useHandle(handle -> handle.execute("DELETE FROM jobs_jobs WHERE id = 'ended-7'"));
        }
        Eventually.until(
                "what went on in Redis is gone there",
                () -> server.keys().stream()
                        .noneMatch(key -> key.contains(":job:zombie")
                                || key.contains(":task:zombie:")
                                || key.contains(":dag:zombie:")));
    }

    @Test
    void theLogsOfAllTasksOfAJobAreKept() throws InterruptedException {
        JobBuilder job = JobSpec.named("x").id("chatty").queue("chatty");
        for (int i = 0; i < 70; i++) {
            job.task("t" + i, task -> {});
        }
        one.jobs().submit(job.build());
        List<Claimed> all = one.tasks().claim(wanted("chatty", 70, Duration.ofSeconds(10)));
        all.forEach(task -> one.tasks().log(task.held(), List.of("I am " + task.taskId())));
        one.tasks().end(all.stream().map(Hands::complete).toList(), null);

        Eventually.until("Redis has let go of it", () -> isGone("chatty"));

        assertThat(all)
                .hasSize(70)
                .allSatisfy(task -> assertThat(one.jobs()
                                .logs("chatty", task.taskId(), 0, 10)
                                .orElseThrow()
                                .lines())
                        .singleElement()
                        .asString()
                        .endsWith("I am " + task.taskId()));
    }

    @Test
    void aGraphIsReadOnceHoweverOftenItIsLookedAt() {
        assertThat(other.jobs().graph("drawn")).isEmpty();
        one.jobs().submit(diamond("drawn").build());

        Graph graph = other.jobs().graph("drawn").orElseThrow();

        assertThat(graph.job().tasks()).extracting(TaskSpec::id).containsExactly("a", "b", "c", "d");
        assertThat(other.jobs().graph("drawn")).containsSame(graph);
        one.jobs().cancel("drawn");
    }

    @Test
    void linesAreReadWhileTheyComeAndAfterTheEnd() throws InterruptedException {
        one.jobs()
                .submit(JobSpec.named("x")
                        .id("logged")
                        .queue("logged")
                        .task("a", task -> {})
                        .build());
        Claimed held = claim("logged");
        assertThat(one.tasks().log(held.held(), List.of("first", "se\u0000cond")))
                .isTrue();

        LogPart live = other.jobs().logs("logged", "a", 0, 10).orElseThrow();
        assertThat(live.lines()).hasSize(2);
        assertThat(live.lines().getFirst()).endsWith(" first");
        assertThat(live.ended()).isFalse();
        one.tasks().end(List.of(Hands.complete(held)), null);

        Eventually.until("Redis has let go of it", () -> isGone("logged"));
        LogPart stored = one.jobs().logs("logged", "a", 1, 10).orElseThrow();
        assertThat(stored.lines()).singleElement().asString().endsWith("se\uFFFDcond");
        assertThat(stored).returns(1L, LogPart::from).returns(2L, LogPart::next).returns(true, LogPart::ended);
        assertThat(one.jobs().logs("logged", "b", 0, 10)).isEmpty();
    }

    @Test
    void linesOfTasksThatStayAsTheyAreOutliveARerun() throws InterruptedException {
        one.jobs()
                .submit(JobSpec.named("x")
                        .id("kept-lines")
                        .queue("kept-lines")
                        .task("a", task -> {})
                        .task("b", task -> task.needs("a"))
                        .build());
        Claimed a = claim("kept-lines");
        one.tasks().log(a.held(), List.of("I am a"));
        one.tasks().end(List.of(Hands.complete(a)), null);
        one.tasks().end(List.of(Hands.fail(claim("kept-lines"))), null);
        Eventually.until(
                "its end is stored",
                () -> one.jobs().find("kept-lines").orElseThrow().status() == JobStatus.FAILED
                        && !one.jobs().find("kept-lines").orElseThrow().live());

        one.jobs().rerun("kept-lines", new Rerun.FromFailed());

        Claimed b = claim("kept-lines");
        assertThat(b.results()).isEqualTo(Map.of("a", "\"a\""));
        LogPart part = one.jobs().logs("kept-lines", "a", 0, 10).orElseThrow();
        assertThat(part.lines()).singleElement().asString().endsWith("I am a");
        assertThat(one.jobs().task("kept-lines", "a").orElseThrow())
                .returns("\"a\"", TaskView::result)
                .returns("tester", TaskView::worker);
        one.tasks().end(List.of(Hands.complete(b)), null);
        ends("kept-lines", JobStatus.SUCCEEDED);
        assertThat(one.jobs().logs("kept-lines", "a", 0, 10).orElseThrow().lines())
                .hasSize(1);
    }

    @Test
    void whyTellsWhatATaskWaitsFor() throws InterruptedException {
        one.jobs().submit(diamond("why").build());
        assertThat(one.jobs().why("why", "a").orElseThrow().reason()).contains("queue \"why\"");
        assertThat(one.jobs().why("why", "d").orElseThrow().blockedBy())
                .containsExactly(new Why.Need("b", WAITING), new Why.Need("c", WAITING));

        Claimed held = claim("why");
        assertThat(one.jobs().why("why", "a").orElseThrow().reason()).contains("attempt 1 is under way at tester");
        assertThat(one.jobs().workers())
                .filteredOn(worker -> worker.name().equals("tester"))
                .singleElement()
                .satisfies(worker -> assertThat(worker.tasks()).contains(held.held()));
        assertThat(one.jobs().why("why", "x")).isEmpty();

        server.keys().stream()
                .filter(key -> key.endsWith(":jobs:workers"))
                .forEach(key -> server.commands().del(key));
        assertThat(one.jobs().workers())
                .filteredOn(worker -> worker.name().equals("tester"))
                .extracting(WorkerView::seenAt)
                .containsOnlyNulls();
    }

    @Test
    void aDelayedJobBeginsLater() {
        one.jobs().submit(diamond("later").delay(Duration.ofHours(1)).build());

        JobView job = one.jobs().find("later").orElseThrow();
        assertThat(job.startAt()).isEqualTo(job.createdAt().plus(Duration.ofHours(1)));
        assertThat(one.jobs().queues()).noneMatch(queue -> queue.name().equals("later") && queue.ready() > 0);
        assertThat(one.jobs().why("later", "a").orElseThrow().reason()).isEqualTo("the job begins at " + job.startAt());
    }

    @Test
    void aJobIsListedByTheStateItIsInAlsoBeforePostgresqlHasHeardOfIt() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            one.jobs()
                    .submit(JobSpec.named("swift-" + i)
                            .id("swift-" + i)
                            .queue("swift-" + i)
                            .task("a", task -> {})
                            .build());
        }
        List<Claimed> held = List.of(claim("swift-0"), claim("swift-1"), claim("swift-2"));
        assertThat(listed(JobStatus.RUNNING, 3, null).items()).hasSize(3);
        assertThat(listed(JobStatus.PENDING, 3, null).items()).isEmpty();

        one.tasks()
                .end(
                        held.stream()
                                .<Ending>map(task -> new Ending.Completed(task.held(), null))
                                .toList(),
                        null);
        Slice<JobView> first = listed(JobStatus.SUCCEEDED, 2, null);
        Slice<JobView> rest = listed(JobStatus.SUCCEEDED, 2, first.next());

        assertThat(first.items()).extracting(JobView::id).containsExactly("swift-2", "swift-1");
        assertThat(rest.items()).extracting(JobView::id).containsExactly("swift-0");
        assertThat(rest.next()).isNull();
    }

    private Slice<JobView> listed(JobStatus status, int limit, @Nullable String cursor) {
        return one.jobs().list(status, "swift-", limit, cursor);
    }

    @Test
    void aListIsReadPartByPartAndNewestFirst() {
        for (int i = 0; i < 5; i++) {
            one.jobs().submit(diamond("listed-" + i).createdBy("Lister").build());
        }

        Slice<JobView> first = one.jobs().list(null, "lISTer", 3, null);
        Slice<JobView> rest = one.jobs().list(null, "lister", 3, first.next());

        assertThat(first.items()).extracting(JobView::id).containsExactly("listed-4", "listed-3", "listed-2");
        assertThat(rest.items()).extracting(JobView::id).containsExactly("listed-1", "listed-0");
        assertThat(rest.next()).isNull();
        assertThat(one.jobs().list(null, "lister", 5, null).next()).isNull();
        assertThat(one.jobs().tasks("listed-0", READY, 10, null).items())
                .extracting(task -> task.spec().id())
                .containsExactly("a");
        Slice<TaskView> tasks = one.jobs().tasks("listed-0", null, 3, null);
        assertThat(one.jobs().tasks("listed-0", null, 3, tasks.next()).items())
                .extracting(task -> task.spec().id())
                .containsExactly("d");
    }

    @Test
    void aQueueHasALimitThatAllInstancesKeep() throws InterruptedException {
        one.jobs().limit("limited", 1);
        Eventually.until(
                "the other knows",
                () -> other.jobs().queues().stream()
                        .anyMatch(queue -> queue.name().equals("limited")
                                && Integer.valueOf(1).equals(queue.concurrency())));
        JobBuilder wide = JobSpec.named("wide").id("limited").queue("limited");
        for (int i = 0; i < 5; i++) {
            wide.task("t" + i, task -> {});
        }
        one.jobs().submit(wide.build());

        assertThat(one.tasks().claim(wanted("limited", 5, Duration.ofSeconds(5))))
                .hasSize(1);
        assertThat(other.tasks().claim(wanted("limited", 5, Duration.ZERO))).isEmpty();
        assertThat(one.jobs().queues())
                .filteredOn(queue -> queue.name().equals("limited"))
                .singleElement()
                .returns(4L, QueueView::ready)
                .returns(1L, QueueView::running);
        one.jobs().limit("limited", null);
    }

    @Test
    void ofAQueueWithTheLimitOfNoneNothingBegins() throws InterruptedException {
        one.jobs().limit("none", 0);
        one.jobs().submit(diamond("none").build());

        assertThat(one.tasks().claim(wanted("none", 5, Duration.ZERO))).isEmpty();
        assertThat(one.jobs().why("none", "a").orElseThrow().reason()).contains("none of that queue may run");
        one.jobs().limit("none", null);
        assertThat(claim("none").taskId()).isEqualTo("a");
    }

    @Test
    void aListOfAStateHasNoJobThatIsOfAnotherByNow() throws InterruptedException {
        one.jobs().submit(diamond("by-now").build());
        claim("by-now");
        try (Database database = fleet.database()) {
            Eventually.until(
                    "PostgreSQL knows",
                    () -> new PostgresJobs(database)
                                    .find("by-now")
                                    .orElseThrow()
                                    .status()
                            == JobStatus.RUNNING);
            database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET status = 'PENDING' WHERE id = 'by-now'"));
        }

        assertThat(one.jobs().list(JobStatus.PENDING, "by-now", 10, null).items())
                .isEmpty();
    }

    @Test
    void jobsThatEndedLongAgoAreForgotten() {
        try (Hands hands = new Hands(one.tasks(), "old", Hands::complete);
                Database database = fleet.database()) {
            one.jobs().submit(diamond("old").build());
            one.jobs().submit(diamond("not-so-old").queue("old").build());
            ends("old", JobStatus.SUCCEEDED);
            ends("not-so-old", JobStatus.SUCCEEDED);
            assertThat(hands.taken()).hasSize(8);
            Eventually.until(
                    "they are retired",
                    () -> count(database, "jobs_jobs WHERE retired AND id IN ('old', 'not-so-old')") == 2);
            database.useHandle(handle ->
                    handle.execute("UPDATE jobs_jobs SET finished_at = now() - interval '31 d' WHERE id = 'old'"));

            // By its number: without the job's own row nobody would find what is left of it by id.
            String itsHistory = "jobs_history WHERE job = "
                    + database.withHandle(handle -> handle.createQuery("SELECT number FROM jobs_jobs WHERE id = 'old'")
                            .mapTo(Long.class)
                            .one());
            assertThat(count(database, itsHistory)).isPositive();

            other.forgetOld();

            assertThat(one.jobs().find("old")).isEmpty();
            assertThat(count(database, itsHistory)).isZero();
            assertThat(one.jobs().find("not-so-old")).isPresent();
            assertThat(count(database, "jobs_tasks WHERE job_id = 'not-so-old'"))
                    .isEqualTo(4);
        }
    }

    @Test
    void aListHasShortResultsAndATaskAloneHasItsOwn() {
        String large = "\"" + "x".repeat(5_000) + "\"";
        try (Hands hands = new Hands(
                one.tasks(),
                "large",
                task -> task.taskId().equals("a") ? new Ending.Completed(task.held(), large) : Hands.complete(task))) {
            one.jobs().submit(diamond("large").build());
            ends("large", JobStatus.SUCCEEDED);
            assertThat(hands.taken()).hasSize(4);
        }

        List<TaskView> list = one.jobs().tasks("large", null, 10, null).items();
        assertThat(list).extracting(TaskView::result).containsExactly(null, "\"b\"", "\"c\"", "\"d\"");
        assertThat(list).extracting(TaskView::resultOmitted).containsExactly(true, false, false, false);
        assertThat(one.jobs().outline("large", 10, null).items())
                .extracting(TaskView::result)
                .containsOnlyNulls();
        assertThat(one.jobs().task("large", "a").orElseThrow().result()).isEqualTo(large);
    }

    @Test
    void graphsAreRememberedAsLongAsTheyAreNotTooLargeTogether() {
        try (Database database = fleet.database()) {
            Graphs graphs = new Graphs(new PostgresJobs(database));
            String input = "\"" + "x".repeat(262_000) + "\"";

            graphs.remember(heavy("g-one", 200, input), 1);
            graphs.remember(heavy("g-two", 200, input), 1);
            assertThat(graphs.find("g-one", 1)).isPresent();
            graphs.remember(heavy("g-three", 200, input), 1);
            graphs.remember(heavy("g-huge", 260, input), 1);

            assertThat(graphs.find("g-one", 1)).isPresent();
            assertThat(graphs.find("g-two", 1)).isEmpty();
            assertThat(graphs.find("g-three", 1)).isPresent();
            assertThat(graphs.find("g-huge", 1)).isEmpty();
            graphs.remember(heavy("g-one", 260, input), 2);
            assertThat(graphs.find("g-one", 1)).isEmpty();
        }
    }

    @Test
    void theGraphOfAForgottenJobIsNotThatOfTheNextWithItsId() {
        try (Database database = fleet.database()) {
            PostgresJobs jobs = new PostgresJobs(database);
            Graphs graphs = new Graphs(jobs);
            StoredJob before = insert(jobs, "a");
            assertThat(graphs.of(before).find("a")).isPresent();
            database.useHandle(handle -> handle.execute("DELETE FROM jobs_jobs WHERE id = 'reused'"));

            StoredJob after = insert(jobs, "b");

            assertThat(graphs.of(after).find("b")).isPresent();
            assertThat(graphs.of(after).find("a")).isEmpty();
            assertThatExceptionOfType(UnknownJobException.class).isThrownBy(() -> graphs.of(before));
            one.jobs().cancel("reused");
        }
    }

    private static StoredJob insert(PostgresJobs jobs, String task) {
        JobSpec job = JobSpec.named("x")
                .id("reused")
                .queue("reused")
                .task(task, any -> {})
                .build();
        return jobs.insert(job, Instant.now()).job();
    }

    private static Graph heavy(String id, int tasks, String input) {
        List<TaskSpec> specs = IntStream.range(0, tasks)
                .mapToObj(i -> new TaskSpec(
                        "t" + i,
                        "t" + i,
                        List.of(),
                        Trigger.ALL_SUCCESS,
                        "default",
                        new Run.External(),
                        input,
                        0,
                        Duration.ofSeconds(1),
                        Duration.ofHours(1),
                        0))
                .toList();
        return Graph.of(new JobSpec(id, id, "tests", null, 0, "default", Duration.ZERO, specs));
    }

    private static long count(Database database, String where) {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + where)
                .mapTo(Long.class)
                .one());
    }

    @Test
    void aHundredThousandTasksAreSubmitted() {
        JobBuilder big = JobSpec.named("big").id("big").queue("big");
        for (int i = 0; i < 100_000; i++) {
            int task = i;
            big.task("t" + i, built -> {
                if (task >= 1_000) {
                    built.needs("t" + (task - 1_000), "t" + (task - 999));
                }
            });
        }

        one.jobs().submit(big.build());

        assertThat(one.jobs().find("big").orElseThrow().tasks()).isEqualTo(100_000);
        Eventually.until(
                "Redis has all of it",
                () -> one.jobs().find("big").orElseThrow().live());
        Eventually.until(
                "its first tasks are ready",
                () -> one.jobs().queues().stream()
                        .anyMatch(queue -> queue.name().equals("big") && queue.ready() == 1_000));
        assertThat(one.jobs().cancel("big").status()).isEqualTo(JobStatus.CANCELLED);
    }

    private static JobBuilder diamond(String id) {
        return JobSpec.named("Diamond")
                .id(id)
                .queue(id)
                .task("a", task -> {})
                .task("b", task -> task.needs("a"))
                .task("c", task -> task.needs("a"))
                .task("d", task -> task.needs("b", "c"));
    }

    private Claimed claim(String queue) throws InterruptedException {
        return one.tasks().claim(wanted(queue, 1, Duration.ofSeconds(10))).getFirst();
    }

    private static Wanted wanted(String queue, int max, Duration patience) {
        return new Wanted("tester", List.of(new Lane(queue, "worker")), max, Duration.ofSeconds(60), patience);
    }

    private void ends(String id, JobStatus status) {
        Eventually.until(id + " is " + status, () -> {
            JobView job = one.jobs().find(id).orElseThrow();
            return job.status() == status && !job.live();
        });
    }

    private Map<String, TaskStatus> states(String id) {
        return one.jobs().tasks(id, null, 100, null).items().stream()
                .collect(Collectors.toMap(task -> task.spec().id(), TaskView::status));
    }

    private String inRedis(String id) {
        String key = server.keys().stream()
                .filter(name -> name.endsWith(":job:" + id))
                .findFirst()
                .orElseThrow();
        return server.commands().hget(key, "status");
    }

    private static List<String> notRetired(Database database) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT id FROM jobs_jobs WHERE NOT retired AND finished_at < now() - interval '2 min'")
                .mapTo(String.class)
                .list());
    }

    private boolean isGone(String id) {
        return server.keys().stream().noneMatch(key -> key.contains(":" + id));
    }
}
