package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.RedisControl.Told;
import dev.hotstate.jobs.RedisGraphs.Loaded;
import dev.hotstate.jobs.RedisGraphs.Retired;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.jobs.graph.Trigger;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a job comes into Redis, again or anew, what is archived of it, and how it goes. */
abstract class GraphsContract {
    private final RedisTarget target;
    private RedisBench bench;

    GraphsContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void open() {
        bench = new RedisBench(target);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aJobStandsUnderTheKeysThatTheDesignNames() {
        bench.load(new Flow("invoice").task("a").task("b", "a").task("c", Trigger.ALL_DONE, "a", "b"));
        String base = "dev:hotstate:" + bench.partition + ":";

        assertThat(target.commands().hget(base + "job:invoice", "status")).isEqualTo("PENDING");
        assertThat(target.commands().hget(base + "job:invoice", "created_by")).isEqualTo("tests");
        assertThat(target.commands().hmget(base + "task:invoice:a", "id", "job_id", "name", "status", "retry_count"))
                .extracting(pair -> pair.getValue())
                .containsExactly("a", "invoice", "Task a", "READY", "0");
        assertThat(target.commands().hgetall(base + "dag:invoice:edges"))
                .isEqualTo(Map.of("a", "", "b", "a", "c", "a,b"));
        assertThat(target.commands().smembers(base + "dag:invoice:roots")).containsExactly("a");
        bench.succeed(bench.claimOne());
        assertThat(target.commands().smembers(base + "dag:invoice:visited")).containsExactly("a");
    }

    @Test
    void aSecondLoadingChangesNothing() {
        Flow flow = new Flow("again").task("a").task("b", "a");
        assertThat(bench.load(flow)).isEqualTo(Loaded.LOADED);
        bench.succeed(bench.claimOne());

        assertThat(bench.load(flow)).isEqualTo(Loaded.ALREADY);

        assertThat(bench.claimOne().taskId()).isEqualTo("b");
        assertThat(bench.archivedStates("again", "")).containsExactly("PENDING", "RUNNING");
    }

    @Test
    void nothingOfAJobIsHandedOutBeforeItsLastPieceAndAnotherInstanceMayBringThat() {
        Flow flow = large(1_700);
        LoadPieces pieces = new LoadPieces(flow.head(), flow.cells(), RunJson::write);
        assertThat(pieces.count()).isEqualTo(4);
        Interrupted half = new Interrupted(bench, flow);
        half.load(3);
        bench.tender.tend();
        assertThat(bench.claim(10)).isEmpty();
        assertThat(bench.look.job("large")).isEmpty();
        assertThat(bench.control.pause("large", 1)).isEqualTo(Told.UNKNOWN);

        assertThat(bench.load(flow)).isEqualTo(Loaded.LOADED);
        half.load(1);
        bench.tender.tend();

        assertThat(bench.job("large").counts()).containsEntry(TaskStatus.READY, 1);
        bench.succeed(bench.claimOne());
        for (int i = 0; i < 6; i++) {
            bench.tender.tend();
        }
        assertThat(bench.job("large").counts())
                .containsEntry(TaskStatus.READY, 1_699)
                .containsEntry(TaskStatus.SUCCEEDED, 1);
    }

    @Test
    void aJobThatIsBeingLoadedCanBeCancelled() {
        Flow flow = large(600);
        new Interrupted(bench, flow).load(1);

        assertThat(bench.control.cancel("large", 1)).isEqualTo(Told.DONE);

        assertThat(bench.load(flow)).isEqualTo(Loaded.ALREADY);
        assertThat(bench.job("large").status()).isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void aLaterEpochTakesTheJobsPlaceAndKeepsWhatItIsGiven() {
        Flow flow = new Flow("rerun").task("a").task("b", "a").task("c", "b");
        bench.load(flow);
        bench.succeed(bench.claimOne(), "1");
        Claimed old = bench.claimOne();
        bench.tasks.log(old.held(), List.of("of the first epoch"));
        bench.fail(old);
        bench.graphs.retire("rerun", flow.ids(), Duration.ofHours(1));
        JobHead head = new JobHead(
                "rerun", "Job rerun", "tests", RedisBench.NOON, 2, JobStatus.PENDING, 3, 2, 1, 0, 0, false, null);
        List<TaskCell> cells = new ArrayList<>(flow.cells());
        cells.set(0, new TaskCell(cells.get(0).spec(), TaskStatus.SUCCEEDED, 1, 0, 0, 0, List.of("b"), "1"));
        cells.set(1, new TaskCell(cells.get(1).spec(), TaskStatus.READY, 0, 0, 0, 0, List.of("c"), null));

        assertThat(bench.graphs.load(head, cells)).isEqualTo(Loaded.LOADED);

        Claimed b = bench.claimOne();
        assertThat(b.epoch()).isEqualTo(2);
        assertThat(b.results()).isEqualTo(Map.of("a", "1"));
        assertThat(bench.look.lines("rerun", "b", 0, 10).orElseThrow().lines()).isEmpty();
        assertThat(bench.succeed(old)).isEqualTo(Ended.STALE);
        assertThat(bench.graphs.load(flow.head(), flow.cells())).isEqualTo(Loaded.ALREADY);
        bench.succeed(b);
        bench.succeed(bench.claimOne());
        assertThat(bench.job("rerun").status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(bench.job("rerun").counts()).containsEntry(TaskStatus.SUCCEEDED, 3);
        assertThat(target.keys()).noneMatch(key -> target.commands().pttl(key) > 0 && key.contains("rerun"));
    }

    @Test
    void whatAnEarlierEpochLeftIsNotTakenForTheLaterOnes() {
        Flow flow = new Flow("epochs")
                .task("a")
                .task("b")
                .task("c", Flow.retries(1))
                .task("d", "a");
        bench.load(flow);
        List<Claimed> held = bench.claim(3);
        bench.end(new Ending.Released(held.get(1).held()));
        bench.fail(held.get(2));
        bench.control.cancel("epochs", 1);

        bench.load(new Flow("epochs")
                .task("z")
                .task("a", "z")
                .task("b", "z")
                .task("c", "z")
                .epoch(2));
        bench.clock.advance(Duration.ofMinutes(1));

        Claimed z = bench.claimOne();
        assertThat(z.taskId()).isEqualTo("z");
        assertThat(bench.lapsed.waiting(bench.partition, 5)).isEmpty();
        bench.succeed(z);
        assertThat(bench.claim(10)).extracting(Claimed::taskId).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void aJobOfWhichAllHasEndedIsFinishedByItsLoading() {
        Flow flow = new Flow("over").task("a");
        TaskCell ended = new TaskCell(flow.cells().getFirst().spec(), TaskStatus.FAILED, 1, 0, 0, 0, List.of(), null);
        JobHead head = new JobHead(
                "over", "Job over", "tests", RedisBench.NOON, 1, JobStatus.RUNNING, 1, 0, 0, 1, 0, false, null);

        bench.graphs.load(head, List.of(ended));

        assertThat(bench.job("over").status()).isEqualTo(JobStatus.FAILED);
        assertThat(bench.archivedStates("over", "")).containsExactly("FAILED");
    }

    @Test
    void theKeysOfARetiredJobGoAndItsTasksThatHadNotEndedAreCancelled() {
        Flow flow = new Flow("retired").task("a").task("b", "a");
        bench.load(flow);
        bench.graphs.retire("retired", flow.ids(), Duration.ofHours(1));
        assertThat(target.keys()).noneMatch(key -> target.commands().pttl(key) > 0 && key.contains("retired"));
        Claimed a = bench.claimOne();
        bench.tasks.log(a.held(), List.of("line"));
        bench.control.cancel("retired", 1);

        bench.graphs.retire("retired", flow.ids(), Duration.ofHours(1));

        assertThat(target.keys())
                .filteredOn(key -> key.contains("retired"))
                .hasSize(6)
                .allMatch(key -> target.commands().pttl(key) > 0);
        assertThat(target.commands().hget("dev:hotstate:" + bench.partition + ":task:retired:b", "status"))
                .isEqualTo("CANCELLED");
    }

    @Test
    void aCancelledJobLeavesNothingReadyHeldOrDelayed() {
        Flow flow = new Flow("dropped")
                .task("held")
                .task("again", Flow.retries(3))
                .task("first")
                .task("second", Flow.lane("mail", new Run.Handler("send"), 2, null));
        Flow later = new Flow("dropped-later").task("a").startingAt(RedisBench.NOON.plusSeconds(60));
        bench.load(flow);
        bench.load(later);
        List<Claimed> taken = bench.claim(10);
        bench.fail(taken.stream()
                .filter(one -> one.taskId().equals("again"))
                .findFirst()
                .orElseThrow());
        bench.end(new Ending.Released(taken.stream()
                .filter(one -> one.taskId().equals("first"))
                .findFirst()
                .orElseThrow()
                .held()));
        assertThat(bench.look.depths().values())
                .extracting(RedisLook.Depth::ready)
                .containsExactly(1L, 1L);
        bench.control.cancel("dropped", 1);
        bench.control.cancel("dropped-later", 1);

        bench.graphs.retire("dropped", flow.ids(), Duration.ofHours(1));
        bench.graphs.retire("dropped-later", later.ids(), Duration.ofHours(1));

        assertThat(bench.look.depths().values())
                .extracting(RedisLook.Depth::ready)
                .containsExactly(0L, 0L);
        assertThat(target.keys())
                .noneMatch(key -> key.contains(":ready:") || key.endsWith(":leases") || key.endsWith(":delayed"));
    }

    @Test
    void aJobIsKeptFromItsEndOnAndNotFromItsRetirement() {
        Flow flow = new Flow("long-over").task("a");
        bench.load(flow);
        bench.succeed(bench.claimOne());
        String job = "dev:hotstate:" + bench.partition + ":job:long-over";

        bench.clock.advance(Duration.ofMinutes(50));
        bench.graphs.retire("long-over", flow.ids(), Duration.ofHours(1));

        assertThat(target.commands().pttl(job))
                .isBetween(1L, Duration.ofMinutes(10).toMillis());

        bench.clock.advance(Duration.ofHours(5));
        bench.graphs.retire("long-over", flow.ids(), Duration.ofHours(1));

        assertThat(target.commands().pttl(job))
                .isBetween(1L, Duration.ofMinutes(1).toMillis());
    }

    @Test
    void theKeysOfManyJobsGoTogetherButOfThoseThatHaveNotEnded() {
        Flow done = new Flow("done").task("a").task("b", "a");
        Flow open = new Flow("open").task("a");
        bench.load(done);
        bench.succeed(bench.claimOne(), "1");
        bench.succeed(bench.claimOne());
        bench.load(open);

        Map<String, Retired> retired = bench.graphs.retireAll(
                Map.of("done", done.ids(), "open", open.ids(), "nobody", List.of("a")), Duration.ofHours(1));

        assertThat(retired).isEqualTo(Map.of("done", Retired.RETIRED, "open", Retired.NOT, "nobody", Retired.GONE));
        assertThat(target.keys())
                .filteredOn(key -> key.contains(":done"))
                .hasSize(7)
                .allMatch(key -> target.commands().pttl(key) > 0);
        assertThat(target.keys()).noneMatch(key -> target.commands().pttl(key) > 0 && key.contains(":open"));
    }

    @Test
    void linesThatComeAfterTheRetirementGoWithTheTask() {
        Flow flow = new Flow("late-lines").task("a");
        bench.load(flow);
        Claimed a = bench.claimOne();
        bench.control.cancel("late-lines", 1);
        assertThat(bench.graphs.retire("late-lines", flow.ids(), Duration.ofHours(1)))
                .isEqualTo(Retired.RETIRED);

        assertThat(bench.tasks.log(a.held(), List.of("late"))).isTrue();

        assertThat(target.commands().pttl("dev:hotstate:" + bench.partition + ":task:late-lines:a:logs"))
                .isPositive();
        assertThat(bench.graphs.retire("nobody", flow.ids(), Duration.ofHours(1)))
                .isEqualTo(Retired.GONE);
    }

    @Test
    void whatIsDecidedAboutAnEpochDoesNotReachTheNext() {
        bench.load(new Flow("next").task("a").epoch(2));

        assertThat(bench.control.cancel("next", 1)).isEqualTo(Told.ENDED);
        assertThat(bench.control.pause("next", 3)).isEqualTo(Told.UNKNOWN);

        assertThat(bench.claimOne().epoch()).isEqualTo(2);
    }

    @Test
    void everyTaskOfFullLayersMayNeedAllOfTheLayerBefore() {
        Flow flow = new Flow("dense");
        String[] before = {};
        for (int layer = 0; layer < 17; layer++) {
            String[] these = new String[260];
            for (int i = 0; i < these.length; i++) {
                these[i] = "l" + layer + "-" + i;
                flow.task(these[i], before);
            }
            before = these;
        }

        assertThat(bench.load(flow)).isEqualTo(Loaded.LOADED);

        bench.tender.tend();
        assertThat(bench.job("dense").counts())
                .containsEntry(TaskStatus.READY, 260)
                .containsEntry(TaskStatus.WAITING, 16 * 260);
    }

    @Test
    void ofLargeEntriesFewerAreReadAtOnce() {
        Flow flow = new Flow("large-results");
        for (int i = 0; i < 40; i++) {
            flow.task("t" + i);
        }
        bench.load(flow);
        bench.claim(100).forEach(task -> bench.succeed(task, "\"" + "x".repeat(200_000) + "\""));

        RedisArchive.Drained first =
                bench.archive.drain(bench.partition, "here", "", 100).orElseThrow();

        assertThat(first.transitions()).hasSizeBetween(10, 25);
        assertThat(bench.archived())
                .filteredOn(
                        one -> one.state().equals("SUCCEEDED") && !one.taskId().isEmpty())
                .extracting(Transition::taskId)
                .hasSize(40)
                .doesNotHaveDuplicates();
    }

    @Test
    void theArchiveKeepsAnEntryUntilItWasAppliedAndGivesItToOneInstanceAtATime() {
        bench.load(new Flow("one").task("a"));
        bench.load(new Flow("two").task("a"));
        RedisArchive.Drained first =
                bench.archive.drain(bench.partition, "here", "", 1).orElseThrow();
        bench.clock.advance(Duration.ofSeconds(3));

        assertThat(bench.archive.drain(bench.partition, "there", "", 1)).isEmpty();
        RedisArchive.Drained again =
                bench.archive.drain(bench.partition, "here", "", 1).orElseThrow();
        RedisArchive.Drained next =
                bench.archive.drain(bench.partition, "here", first.upTo(), 5).orElseThrow();

        assertThat(again.transitions()).isEqualTo(first.transitions());
        assertThat(first.transitions())
                .containsExactly(
                        new Transition("one", "", 1, 0, "PENDING", RedisBench.NOON, null, null, null, null, false));
        assertThat(next.transitions()).extracting(Transition::jobId).containsExactly("two");
        assertThat(next.left()).isEqualTo(1);
        assertThat(next.age()).isEqualTo(Duration.ofSeconds(3));
        assertThat(bench.archive
                        .drain(bench.partition, "here", "9 99999999999999-0", 5)
                        .orElseThrow()
                        .left())
                .as("what another incarnation applied")
                .isEqualTo(1);
    }

    @Test
    void atransitionCarriesAllThatPostgresKeeps() {
        bench.load(new Flow("carried").task("a"));
        bench.clock.advance(Duration.ofSeconds(2));
        Claimed task = bench.claimOne();
        bench.tasks.log(task.held(), List.of("hello"));
        bench.clock.advance(Duration.ofSeconds(5));
        bench.succeed(task, "{\"text\":\"a\u001fb\"}");

        assertThat(bench.archived())
                .contains(new Transition(
                        "carried",
                        "a",
                        1,
                        1,
                        "SUCCEEDED",
                        RedisBench.NOON.plusSeconds(7),
                        RedisBench.NOON.plusSeconds(2),
                        "worker-1",
                        null,
                        "{\"text\":\"a b\"}",
                        true));
    }

    @Test
    void largeInputsComeInSeveralPieces() {
        Flow flow = new Flow("heavy");
        String input = "\"" + "x".repeat(200_000) + "\"";
        for (int i = 0; i < 12; i++) {
            flow.task("t" + i, Flow.lane("default", new Run.External(), 4, input));
        }
        assertThat(new LoadPieces(flow.head(), flow.cells(), RunJson::write).count())
                .isGreaterThan(2);

        bench.load(flow);
        bench.tender.tend();

        assertThat(bench.claim(20)).hasSize(12).allMatch(one -> input.equals(one.input()));
    }

    private static Flow large(int tasks) {
        Flow flow = new Flow("large").task("root");
        for (int i = 1; i < tasks; i++) {
            flow.task("t" + i, (TaskSpec task) -> task, "root");
        }
        return flow;
    }

    /** An instance that dies before it has brought all pieces. */
    private record Interrupted(RedisBench bench, Flow flow) {
        void load(int count) {
            LoadPieces pieces = new LoadPieces(flow.head(), flow.cells(), RunJson::write);
            for (int i = 0; i < count; i++) {
                bench.graphs.send(bench.partition, "large", pieces.arguments(i));
            }
        }
    }
}
