package dev.hotstate.jobs;

import static dev.hotstate.jobs.graph.TaskStatus.DELAYED;
import static dev.hotstate.jobs.graph.TaskStatus.FAILED;
import static dev.hotstate.jobs.graph.TaskStatus.READY;
import static dev.hotstate.jobs.graph.TaskStatus.RUNNING;
import static dev.hotstate.jobs.graph.TaskStatus.SKIPPED;
import static dev.hotstate.jobs.graph.TaskStatus.SUCCEEDED;
import static dev.hotstate.jobs.graph.TaskStatus.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Fence;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.jobs.graph.Trigger;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a job advances: each ending counts once, each rule is decided once, and nothing begins too early. */
abstract class AdvanceContract {
    private final RedisTarget target;
    private RedisBench bench;

    AdvanceContract(RedisTarget target) {
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
    void aTaskIsReadyOnceAllThatItNeedsHasSucceeded() {
        Flow diamond =
                new Flow("diamond").task("a").task("b", "a").task("c", "a").task("d", "b", "c");
        bench.load(diamond);

        Claimed a = bench.claimOne();
        assertThat(bench.states(diamond)).containsEntry("a", RUNNING).containsEntry("b", WAITING);
        bench.succeed(a);
        List<Claimed> both = bench.claim(10);
        assertThat(both).extracting(Claimed::taskId).containsExactly("b", "c");
        bench.succeed(both.get(0));
        assertThat(bench.claim(10)).isEmpty();
        bench.succeed(both.get(1));
        bench.succeed(bench.claimOne());

        assertThat(bench.states(diamond)).containsValues(SUCCEEDED).doesNotContainValue(WAITING);
        assertThat(bench.job("diamond").status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(bench.job("diamond").finishedAt()).isEqualTo(RedisBench.NOON);
        assertThat(bench.archivedStates("diamond", "")).containsExactly("PENDING", "RUNNING", "SUCCEEDED");
        assertThat(bench.archivedStates("diamond", "d")).containsExactly("SUCCEEDED");
    }

    @Test
    void anEndingBringsTheNextTaskInTheSameCall() {
        bench.load(new Flow("chain").task("a").task("b", "a").task("c", "b"));
        Claimed a = bench.claimOne();
        Wanted next = new Wanted("worker-1", List.of(RedisBench.DEFAULT), 5, RedisBench.LEASE, Duration.ZERO);

        Tasks.Advanced advanced = bench.tasks.end(List.of(new Ending.Completed(a.held(), "{\"n\":1}")), next);

        assertThat(advanced.endings()).containsExactly(Ended.DONE);
        Claimed b = advanced.next().getFirst();
        assertThat(b.taskId()).isEqualTo("b");
        assertThat(b.results()).isEqualTo(Map.of("a", "{\"n\":1}"));
        assertThat(b.fence()).isGreaterThan(a.fence());
        assertThat(bench.task("chain", "b").status()).isEqualTo(RUNNING);
        assertThat(bench.task("chain", "a").result()).isEqualTo("{\"n\":1}");
    }

    @Test
    void aHopFromTaskToTaskLeavesTheJobAsAnyOtherEndingDoes() {
        bench.load(new Flow("hops")
                .task("a")
                .task("b", Flow.lane("mails", new Run.Shell("sendmail"), 4, "{\"to\":\"you\"}"), "a")
                .task("c", "b")
                .task("d", "c"));
        Claimed a = bench.claimOne();
        Lane smtp = new Lane("mails", "shell");

        Claimed b = next(a, "1", smtp, RedisBench.DEFAULT);
        assertThat(b)
                .returns("b", Claimed::taskId)
                .returns(smtp, Claimed::lane)
                .returns("{\"to\":\"you\"}", Claimed::input)
                .returns("{\"shell\":\"sendmail\"}", Claimed::run)
                .returns(Map.of("a", "1"), Claimed::results);
        Claimed c = next(b, null, smtp, RedisBench.DEFAULT);
        assertThat(c)
                .returns("c", Claimed::taskId)
                .returns(RedisBench.DEFAULT, Claimed::lane)
                .returns(Map.of(), Claimed::results);

        assertThat(bench.job("hops").counts())
                .containsEntry(SUCCEEDED, 2)
                .containsEntry(RUNNING, 1)
                .containsEntry(READY, 0)
                .containsEntry(WAITING, 1);
        assertThat(bench.look.leases(10)).extracting(RedisLook.Lease::held).containsExactly(c.held());
        assertThat(target.commands().smembers("dev:hotstate:" + bench.partition + ":dag:hops:visited"))
                .containsExactlyInAnyOrder("a", "b");
        assertThat(bench.succeed(a, "1")).isEqualTo(Ended.REPEATED);
        assertThat(bench.succeed(b)).isEqualTo(Ended.REPEATED);
        bench.succeed(next(c, null, RedisBench.DEFAULT));
        assertThat(bench.job("hops").status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(bench.archivedStates("hops", "")).containsExactly("PENDING", "RUNNING", "SUCCEEDED");
        assertThat(bench.archived())
                .filteredOn(one -> !one.taskId().isEmpty())
                .extracting(one -> one.taskId() + " " + one.state() + " " + one.result())
                .containsExactly("a SUCCEEDED 1", "b SUCCEEDED null", "c SUCCEEDED null", "d SUCCEEDED null");
    }

    @Test
    void whatIsReadyAlreadyIsHandedOutBeforeWhatAnEndingBrings() {
        bench.load(new Flow("chain").task("a").task("b", "a"));
        bench.load(new Flow("other").task("c").task("d", "c"));
        List<Claimed> both = bench.claim(2);
        bench.succeed(both.getLast());

        assertThat(nextOne(both.getFirst()).taskId()).isEqualTo("d");
        assertThat(bench.task("chain", "b").status()).isEqualTo(READY);
        assertThat(bench.claimOne().taskId()).isEqualTo("b");
    }

    @Test
    void whatFinishesAJobGoesBeforeWhatBeginsOne() {
        bench.load(new Flow("chain").task("a").task("b", "a").task("c", "a"));
        bench.load(new Flow("older").task("z"));
        Claimed a = bench.claim(1).getFirst();

        Claimed b = nextOne(a);
        List<Claimed> rest = bench.claim(10);

        assertThat(b.taskId()).isEqualTo("b");
        assertThat(rest).extracting(Claimed::taskId).containsExactly("c", "z");
    }

    @Test
    void aJobThatHasManyTasksLeftTakesTurnsWithOthers() {
        Flow large = new Flow("large").task("a").task("b", "a");
        for (int i = 0; i < 100; i++) {
            large.task("last-" + i, "b");
        }
        bench.load(large);
        Claimed a = bench.claimOne();
        bench.load(new Flow("small").task("z"));

        // With 101 tasks left its second one comes after those that were there before; with 100 left its others come
        // first.
        Claimed z = nextOne(a);
        Claimed b = bench.claimOne();
        bench.load(new Flow("other").task("y"));
        Claimed last = nextOne(b);

        assertThat(z.taskId()).isEqualTo("z");
        assertThat(b.taskId()).isEqualTo("b");
        assertThat(last.jobId()).isEqualTo("large");
        assertThat(bench.claim(100)).hasSize(100).last().returns("y", Claimed::taskId);
    }

    @Test
    void aGreaterPriorityGoesBeforeWhatFinishesAJob() {
        bench.load(new Flow("chain").task("a").task("b", "a"));
        Claimed a = bench.claimOne();
        bench.load(new Flow("urgent").task("z", Flow.lane("default", new Run.External(), 9, null)));

        assertThat(nextOne(a).taskId()).isEqualTo("z");
        assertThat(bench.claimOne().taskId()).isEqualTo("b");
    }

    @Test
    void whatAnEndingBringsInALaneThatIsNotAskedForWaitsThere() {
        bench.load(new Flow("lanes").task("a").task("b", Flow.lane("mails", new Run.External(), 4, null), "a"));
        Claimed a = bench.claimOne();

        Tasks.Advanced advanced = bench.tasks.end(
                List.of(new Ending.Completed(a.held(), null)),
                new Wanted("worker-1", List.of(RedisBench.DEFAULT), 5, RedisBench.LEASE, Duration.ZERO));

        assertThat(advanced.next()).isEmpty();
        assertThat(bench.task("lanes", "b").status()).isEqualTo(READY);
        assertThat(bench.claim(5, new Lane("mails", Run.External.LANE)))
                .extracting(Claimed::taskId)
                .containsExactly("b");
    }

    @Test
    void ofAPausedJobNothingComesWithAnEnding() {
        bench.load(new Flow("paused-hop").task("a").task("b", "a"));
        Claimed a = bench.claimOne();
        bench.control.pause("paused-hop", 1);

        Tasks.Advanced advanced = bench.tasks.end(
                List.of(new Ending.Completed(a.held(), null)),
                new Wanted("worker-1", List.of(RedisBench.DEFAULT), 5, RedisBench.LEASE, Duration.ZERO));

        assertThat(advanced.next()).isEmpty();
        assertThat(bench.task("paused-hop", "b").parked()).isTrue();
    }

    @Test
    void whoBringsAnEndingLeavesWhatIsDueToThoseWhoAsk() {
        bench.load(new Flow("due").task("a", Flow.retries(1)).task("b").task("c", "b"));
        List<Claimed> both = bench.claim(2);
        bench.clock.advance(RedisBench.LEASE);

        Claimed c = next(both.get(1), null, RedisBench.DEFAULT);

        assertThat(c.taskId()).isEqualTo("c");
        assertThat(bench.task("due", "a").status()).isEqualTo(RUNNING);
        assertThat(bench.claimOne()).returns("a", Claimed::taskId).returns(2, Claimed::attempt);
    }

    @Test
    void aClaimCarriesAllThatAWorkerNeeds() {
        bench.load(new Flow("mail")
                .task("send", Flow.lane("mails", new Run.Shell("sendmail"), 4, "{\"to\":\"you\"}"))
                .task("other"));
        Lane smtp = new Lane("mails", "shell");

        Claimed claimed = bench.claim(5, smtp).getFirst();

        assertThat(claimed.lane()).isEqualTo(smtp);
        assertThat(claimed.run()).isEqualTo("{\"shell\":\"sendmail\"}");
        assertThat(claimed.input()).isEqualTo("{\"to\":\"you\"}");
        assertThat(claimed.attempt()).isEqualTo(1);
        assertThat(claimed.last()).isTrue();
        assertThat(claimed.epoch()).isEqualTo(1);
        assertThat(claimed.leaseUntil()).isEqualTo(RedisBench.NOON.plus(RedisBench.LEASE));
        assertThat(claimed.timeout()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void greaterPriorityGoesFirstAndThenTheOlder() {
        bench.load(new Flow("first").task("plain"));
        bench.clock.advance(Duration.ofSeconds(1));
        bench.load(new Flow("second").task("plain").task("urgent", Flow.lane("default", new Run.External(), 9, null)));

        assertThat(bench.claim(10))
                .extracting(one -> one.jobId() + " " + one.taskId())
                .containsExactly("second urgent", "first plain", "second plain");
    }

    @Test
    void ofSeveralLanesThatOfTheGreaterPriorityGoesFirstAndThenThatOfTheOlder() {
        Lane mails = new Lane("default", "h.mail");
        Lane bills = new Lane("default", "h.bill");
        bench.load(new Flow("mails")
                .task("mail-1", Flow.lane("default", new Run.Handler("mail"), 0, null))
                .task("mail-2", Flow.lane("default", new Run.Handler("mail"), 0, null)));
        bench.clock.advance(Duration.ofSeconds(1));
        bench.load(new Flow("bills")
                .task("bill", Flow.lane("default", new Run.Handler("bill"), 0, null))
                .task("urgent", Flow.lane("default", new Run.Handler("bill"), 9, null))
                .task("next", Flow.lane("default", new Run.Handler("mail"), 5, null), "urgent"));

        Claimed urgent = bench.claim(1, mails, bills).getFirst();
        // What it makes ready is in neither lane yet, and goes first nevertheless.
        Wanted one = new Wanted("worker-1", List.of(bills, mails), 1, RedisBench.LEASE, Duration.ZERO);
        Claimed next = bench.tasks
                .end(List.of(new Ending.Completed(urgent.held(), null)), one)
                .next()
                .getFirst();
        List<Claimed> rest = bench.claim(10, bills, mails);

        assertThat(urgent.taskId()).isEqualTo("urgent");
        assertThat(urgent.lane()).isEqualTo(bills);
        assertThat(next.taskId()).isEqualTo("next");
        assertThat(next.lane()).isEqualTo(mails);
        assertThat(rest).extracting(Claimed::taskId).containsExactly("mail-1", "mail-2", "bill");
    }

    @Test
    void aHundredPrioritiesAreToldApart() {
        Flow flow = new Flow("ranked").task("first");
        for (int priority : List.of(9, 100, 10, 99, 2, 0)) {
            flow.task("p" + priority, Flow.lane("default", new Run.External(), priority, null), "first");
        }
        bench.load(flow);
        Claimed first = bench.claimOne();
        bench.load(new Flow("before").task("p50", Flow.lane("default", new Run.External(), 50, null)));

        // Some of what has just become ready, some of what was before; then the rest.
        Wanted three = new Wanted("w", List.of(RedisBench.DEFAULT), 3, RedisBench.LEASE, Duration.ZERO);
        List<Claimed> taken = new ArrayList<>(bench.tasks
                .end(List.of(new Ending.Completed(first.held(), null)), three)
                .next());
        taken.addAll(bench.claim(10));

        assertThat(taken).extracting(Claimed::taskId).containsExactly("p100", "p99", "p50", "p10", "p9", "p2", "p0");
    }

    @Test
    void anEndingToldTwiceCountsOnce() {
        Flow flow = new Flow("twice").task("a").task("b", "a").task("c", "a");
        bench.load(flow);
        Ending done = new Ending.Completed(bench.claimOne().held(), null);

        assertThat(bench.tasks.end(List.of(done, done), null).endings()).containsExactly(Ended.DONE, Ended.REPEATED);
        assertThat(bench.end(done)).isEqualTo(Ended.REPEATED);
        assertThat(bench.end(new Ending.Failed(done.held(), "or not", true))).isEqualTo(Ended.STALE);

        assertThat(bench.claim(10)).hasSize(2);
        assertThat(bench.job("twice").counts()).containsEntry(SUCCEEDED, 1).containsEntry(RUNNING, 2);
    }

    @Test
    void aFailureToldTwiceSpendsOneAttempt() {
        bench.load(new Flow("fails-twice").task("a", Flow.retries(5)));
        Claimed first = bench.claimOne();

        assertThat(bench.fail(first)).isEqualTo(Ended.DONE);
        assertThat(bench.fail(first)).isEqualTo(Ended.REPEATED);
        assertThat(bench.end(new Ending.Released(first.held()))).isEqualTo(Ended.STALE);

        bench.clock.advance(Duration.ofSeconds(10));
        assertThat(bench.claimOne().attempt()).isEqualTo(2);
        assertThat(bench.fail(first)).isEqualTo(Ended.REPEATED);
        assertThat(bench.task("fails-twice", "a").status()).isEqualTo(RUNNING);
    }

    @Test
    void whereAPartitionIsAwayTheOthersCountAndAllCanBeToldAgain() {
        Partitions two = new Partitions("j", 2);
        String near = idIn(two, bench.partition);
        String far = idIn(two, two.all().getLast());
        bench.load(new Flow(near).task("a"));
        Held held = bench.claimOne().held();
        Passes half = partition -> {
            if (partition.equals(bench.partition)) {
                return bench.passes.of(partition);
            }
            throw new HotstateException("away");
        };
        RedisTasks tasks = new RedisTasks(
                bench.redis,
                half,
                two,
                bench.wakeups,
                new RedisAdvance(bench.redis, half, bench.wakeups, () -> 0),
                new RedisTasks.Options(Permits.NONE, 1_000));
        List<Ending> both =
                List.of(new Ending.Completed(held, null), new Ending.Completed(new Held(far, "a", held.fence()), null));

        Assertions.assertThatExceptionOfType(PartlyEndedException.class)
                .isThrownBy(() -> tasks.end(both, null))
                .withMessageContaining("repeat all of them");

        assertThat(bench.tasks.end(both, null).endings()).containsExactly(Ended.REPEATED, Ended.UNKNOWN);
    }

    @Test
    void resultsAreHandedOverUpToAMegabyteAndTheOthersAreNamed() {
        String large = "\"" + "x".repeat(262_142) + "\"";
        Flow heavy = new Flow("heavy");
        String[] roots = {"r0", "r1", "r2", "r3", "r4"};
        for (String root : roots) {
            heavy.task(root);
        }
        for (int i = 0; i < 6; i++) {
            heavy.task("c" + i, roots);
        }
        bench.load(heavy);
        bench.claim(5).forEach(root -> bench.succeed(root, large));

        List<Claimed> first = bench.claim(10);

        // Four megabytes a call.
        assertThat(first).hasSize(4).allSatisfy(one -> {
            assertThat(one.results()).hasSize(4).containsEntry("r0", large);
            assertThat(one.resultsOmitted()).containsExactly("r4");
        });
        assertThat(bench.claim(10)).extracting(Claimed::taskId).containsExactly("c4", "c5");
        assertThat(bench.look.tasks("heavy", List.of("r0"), Results.SHORT).get("r0"))
                .returns(null, LiveTask::result)
                .returns(true, LiveTask::resultOmitted);
        assertThat(bench.look
                        .tasks("heavy", List.of("r0"), Results.NONE)
                        .get("r0")
                        .result())
                .isNull();
        assertThat(bench.task("heavy", "r0").result()).isEqualTo(large);
    }

    @Test
    void aLateWorkerCannotEndATaskThatWasReclaimed() {
        bench.load(new Flow("late").task("a", Flow.retries(2)));
        Claimed slow = bench.claimOne();
        bench.clock.advance(RedisBench.LEASE);
        Claimed other = bench.claimOne();

        assertThat(other.fence()).isGreaterThan(slow.fence());
        assertThat(other.attempt()).isEqualTo(2);
        assertThat(bench.succeed(slow)).isEqualTo(Ended.STALE);
        assertThat(bench.task("late", "a").status()).isEqualTo(RUNNING);
        assertThat(bench.tasks.keep(List.of(slow.held(), other.held()), RedisBench.LEASE))
                .extracting(kept -> kept.until().isPresent())
                .containsExactly(false, true);
        assertThat(bench.succeed(other)).isEqualTo(Ended.DONE);
        assertThat(bench.archivedStates("late", "a")).containsExactly("DELAYED", "SUCCEEDED");
    }

    @Test
    void whatRedisDoesNotHaveIsUnknown() {
        Held nowhere = new Held("nowhere", "a", new Fence(1, 1));

        assertThat(bench.end(new Ending.Completed(nowhere, null))).isEqualTo(Ended.UNKNOWN);
        assertThat(bench.look.job("nowhere")).isEmpty();
        assertThat(bench.look.lines("nowhere", "a", 0, 10)).isEmpty();
        assertThat(bench.control.cancel("nowhere", 1)).isEqualTo(RedisControl.Told.UNKNOWN);
    }

    @Test
    void aFailureIsTriedAgainAfterABackoffThatDoublesUpToAnHour() {
        bench.load(new Flow("retry").task("a", Flow.retries(20)));
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            bench.fail(bench.claimOne());
            Duration pause = Duration.between(
                    bench.clock.instant(), bench.task("retry", "a").dueAt());
            pauses.add(pause);
            bench.clock.advance(pause.minusMillis(1));
            assertThat(bench.claim(1)).isEmpty();
            bench.clock.advance(Duration.ofMillis(1));
        }

        assertThat(pauses.subList(0, 3))
                .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(40));
        assertThat(pauses.getLast()).isEqualTo(Duration.ofHours(1));
        assertThat(bench.claimOne().attempt()).isEqualTo(12);
    }

    @Test
    void afterTheLastAttemptATaskHasFailedAndWhatNeedsItIsSkipped() {
        Flow flow = new Flow("fails").task("a", Flow.retries(1)).task("b", "a").task("c", "b");
        bench.load(flow);

        bench.fail(bench.claimOne());
        assertThat(bench.task("fails", "a").status()).isEqualTo(DELAYED);
        assertThat(bench.job("fails").counts()).containsEntry(DELAYED, 1).containsEntry(WAITING, 2);
        bench.clock.advance(Duration.ofSeconds(10));
        bench.fail(bench.claimOne());

        assertThat(bench.states(flow))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", FAILED, "b", SKIPPED, "c", SKIPPED));
        assertThat(bench.task("fails", "a").error()).isEqualTo("it broke");
        assertThat(bench.job("fails").status()).isEqualTo(JobStatus.FAILED);
        assertThat(bench.archived())
                .filteredOn(one -> one.taskId().equals("a"))
                .extracting(one -> one.state() + " " + one.attempt() + " " + one.error())
                .containsExactly("DELAYED 1 it broke", "FAILED 2 it broke");
    }

    @Test
    void whatIsNotWorthARetryFailsAtOnce() {
        bench.load(new Flow("fatal").task("a", Flow.retries(5)));

        bench.end(new Ending.Failed(bench.claimOne().held(), "never", false));

        assertThat(bench.job("fatal").status()).isEqualTo(JobStatus.FAILED);
    }

    @Test
    void aReleasedTaskIsReadyAgainAndNoRetryIsSpent() {
        bench.load(new Flow("handed-back").task("a"));
        Claimed first = bench.claimOne();

        assertThat(bench.end(new Ending.Released(first.held()))).isEqualTo(Ended.DONE);

        assertThat(bench.task("handed-back", "a").status()).isEqualTo(READY);
        Claimed again = bench.claimOne();
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(bench.succeed(first)).isEqualTo(Ended.STALE);
        assertThat(bench.succeed(again)).isEqualTo(Ended.DONE);
    }

    @Test
    void everyRuleDecidesByHowTheNeedsEnded() {
        for (Trigger rule : Trigger.values()) {
            String id = "rule-" + rule.word();
            Flow flow = new Flow(id)
                    .task("good")
                    .task("bad")
                    .task("skipped", "bad")
                    .task("after-good", rule, "good")
                    .task("after-bad", rule, "bad")
                    .task("after-both", rule, "good", "bad")
                    .task("after-skipped", rule, "good", "skipped");
            bench.load(flow);
            Map<String, Claimed> roots = new java.util.HashMap<>();
            bench.claim(2).forEach(one -> roots.put(one.taskId(), one));
            bench.succeed(roots.get("good"));
            bench.fail(roots.get("bad"));
            Set<String> begun = new HashSet<>();
            bench.claim(10).forEach(one -> {
                begun.add(one.taskId());
                bench.succeed(one);
            });

            assertThat(begun)
                    .as(rule.word())
                    .containsExactlyInAnyOrderElementsOf(
                            switch (rule) {
                                case ALL_SUCCESS -> List.of("after-good");
                                case ALL_DONE -> List.of("after-good", "after-bad", "after-both", "after-skipped");
                                case ONE_SUCCESS -> List.of("after-good", "after-both", "after-skipped");
                                case ONE_FAILED -> List.of("after-bad", "after-both");
                                case NONE_FAILED -> List.of("after-good", "after-skipped");
                            });
            assertThat(bench.job(id).status()).isEqualTo(JobStatus.FAILED);
            assertThat(bench.states(flow)).doesNotContainValue(WAITING).doesNotContainValue(READY);
        }
    }

    @Test
    void aRuleThatOneNeedDecidesDoesNotWaitForTheOthers() {
        bench.load(new Flow("eager")
                .task("quick")
                .task("slow")
                .task("one", Trigger.ONE_SUCCESS, "quick", "slow")
                .task("none", Trigger.ONE_FAILED, "quick", "slow"));
        List<Claimed> roots = bench.claim(2);

        bench.succeed(roots.get(0));
        assertThat(bench.claim(5)).extracting(Claimed::taskId).containsExactly("one");
        assertThat(bench.task("eager", "none").status()).isEqualTo(WAITING);
        bench.succeed(roots.get(1));

        assertThat(bench.claim(5)).isEmpty();
        assertThat(bench.task("eager", "none").status()).isEqualTo(SKIPPED);
    }

    @Test
    void manyDependentsAreToldInStepsThatAnotherInstanceTakesUp() {
        Flow wide = new Flow("wide").task("root");
        for (int i = 0; i < 2_300; i++) {
            wide.task("t" + i, "root");
        }
        bench.load(wide);
        bench.tender.tend();
        bench.succeed(bench.claimOne());
        assertThat(bench.job("wide").counts().get(READY)).isBetween(500, 750);

        int rounds = 0;
        Tender other = new Tender(bench.advance, bench.partitions.all(), bench.wakeups, bench.unlimited);
        while (bench.job("wide").counts().get(WAITING) > 0 && rounds++ < 10) {
            other.tend();
        }

        assertThat(bench.job("wide").counts()).containsEntry(READY, 2_300).containsEntry(WAITING, 0);
        Set<String> claimed = new HashSet<>();
        for (List<Claimed> some = bench.claim(100); !some.isEmpty(); some = bench.claim(100)) {
            some.forEach(one -> assertThat(claimed.add(one.taskId())).isTrue());
            bench.tasks.end(
                    some.stream()
                            .map(one -> (Ending) new Ending.Completed(one.held(), null))
                            .toList(),
                    null);
        }
        assertThat(claimed).hasSize(2_300);
        assertThat(bench.job("wide").status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aFailureAboveManyTasksSkipsThemAllInSteps() {
        Flow wide = new Flow("doomed").task("root");
        for (int i = 0; i < 1_200; i++) {
            wide.task("t" + i, "root").task("u" + i, "t" + i);
        }
        bench.load(wide);
        bench.tender.tend();
        bench.fail(bench.claimOne());

        for (int i = 0; i < 20; i++) {
            bench.tender.tend();
        }

        assertThat(bench.job("doomed").status()).isEqualTo(JobStatus.FAILED);
        assertThat(bench.job("doomed").counts()).containsEntry(SKIPPED, 2_400);
        assertThat(bench.archived())
                .filteredOn(one -> one.state().equals("SKIPPED"))
                .hasSize(2_400);
    }

    @Test
    void manyNeedsOfOneTaskAreCountedEachOnce() {
        Flow fan = new Flow("fan-in");
        String[] needs = new String[700];
        for (int i = 0; i < needs.length; i++) {
            needs[i] = "n" + i;
            fan.task(needs[i]);
        }
        fan.task("last", needs);
        bench.load(fan);
        bench.tender.tend();
        bench.tender.tend();
        for (int done = 0; done < needs.length; ) {
            List<Claimed> some = bench.claim(100);
            assertThat(some).extracting(Claimed::taskId).doesNotContain("last");
            bench.tasks.end(
                    some.stream()
                            .map(one -> (Ending) new Ending.Completed(one.held(), "1"))
                            .toList(),
                    null);
            done += some.size();
        }

        Claimed last = bench.claimOne();
        assertThat(last.taskId()).isEqualTo("last");
        assertThat(last.results()).hasSize(700);
    }

    @Test
    void aLapsedLastAttemptWaitsForWhatPostgresKnows() {
        for (boolean committed : List.of(true, false)) {
            String id = "lapsed-" + committed;
            bench.load(new Flow(id).task("a").task("b", "a"));
            Claimed lost = bench.claimOne();
            bench.clock.advance(RedisBench.LEASE);
            assertThat(bench.claim(5)).isEmpty();
            Lapsed lapsed = bench.lapsed.waiting(bench.partition, 10).getFirst();
            assertThat(lapsed.held()).isEqualTo(lost.held());
            assertThat(lapsed.attempt()).isEqualTo(1);
            assertThat(bench.job(id).status()).isEqualTo(JobStatus.RUNNING);

            if (committed) {
                bench.lapsed.succeeded(lapsed, Optional.of("7"));
            } else {
                bench.lapsed.failed(lapsed);
            }

            assertThat(bench.lapsed.waiting(bench.partition, 10)).isEmpty();
            assertThat(bench.task(id, "a").status()).isEqualTo(committed ? SUCCEEDED : FAILED);
            assertThat(bench.task(id, "b").status()).isEqualTo(committed ? READY : SKIPPED);
            assertThat(bench.task(id, "a").error()).isEqualTo("lease ran out");
            assertThat(bench.succeed(lost)).isEqualTo(Ended.STALE);
            bench.control.cancel(id, 1);
        }
    }

    @Test
    void aLastAttemptThatFailedButMayHaveCommittedWaitsForWhatPostgresKnows() {
        for (boolean committed : List.of(true, false)) {
            String id = "unsure-" + committed;
            bench.load(new Flow(id).task("a", Flow.retries(1)).task("b", "a"));
            bench.end(new Ending.Unsure(bench.claimOne().held(), "first", true));
            assertThat(bench.task(id, "a").status()).isEqualTo(DELAYED);
            bench.clock.advance(Duration.ofSeconds(10));
            Claimed last = bench.claimOne();

            Ending unsure = new Ending.Unsure(last.held(), "it broke", committed);
            assertThat(bench.end(unsure)).isEqualTo(Ended.DONE);
            assertThat(bench.end(unsure)).as("told again").isEqualTo(Ended.REPEATED);

            assertThat(bench.tasks.keep(List.of(last.held()), RedisBench.LEASE))
                    .as("a heartbeat that was on its way")
                    .containsExactly(new Tasks.Kept(Optional.empty(), false));
            assertThat(bench.look.leases(10)).isEmpty();
            Lapsed lapsed = bench.lapsed.waiting(bench.partition, 10).getFirst();
            assertThat(lapsed)
                    .returns(last.held(), Lapsed::held)
                    .returns(2, Lapsed::attempt)
                    .returns("it broke", Lapsed::error);
            assertThat(bench.task(id, "b").status()).isEqualTo(WAITING);
            if (committed) {
                bench.lapsed.succeeded(lapsed, Optional.of("7"));
            } else {
                bench.lapsed.failed(lapsed);
            }

            assertThat(bench.lapsed.waiting(bench.partition, 10)).isEmpty();
            assertThat(bench.end(unsure)).as("told again after that").isEqualTo(Ended.REPEATED);
            assertThat(bench.task(id, "a"))
                    .returns(committed ? SUCCEEDED : FAILED, LiveTask::status)
                    .returns("it broke", LiveTask::error);
            assertThat(bench.task(id, "b").status()).isEqualTo(committed ? READY : SKIPPED);
            assertThat(bench.archived())
                    .filteredOn(one -> one.jobId().equals(id) && one.taskId().equals("a"))
                    .extracting(one -> one.state() + " " + one.attempt())
                    .containsExactly("DELAYED 1", (committed ? "SUCCEEDED" : "FAILED") + " 2");
            bench.control.cancel(id, 1);
        }
    }

    @Test
    void aTaskThatHasLoggedIsKnownByItWhateverItsNextAttemptsDo() {
        bench.load(new Flow("noted").task("a", Flow.retries(1)).task("b", "a"));
        Claimed first = bench.claimOne();
        bench.tasks.log(first.held(), List.of("line"));
        bench.end(new Ending.Released(first.held()));
        bench.fail(bench.claimOne());
        bench.clock.advance(Duration.ofSeconds(10));
        bench.succeed(bench.claimOne());
        bench.succeed(bench.claimOne());

        assertThat(bench.archived())
                .filteredOn(one -> !one.taskId().isEmpty())
                .extracting(one -> one.taskId() + " " + one.state() + " " + one.logged())
                .containsExactly("a DELAYED true", "a SUCCEEDED true", "b SUCCEEDED false");
    }

    @Test
    void aTaskOutOfTimeLeavesItsPermitToOthers() {
        Limited one = new Limited(bench, 1);
        bench.load(new Flow("narrow")
                .task("a", Flow.timeout(Duration.ofSeconds(10)))
                .task("b", Flow.timeout(Duration.ofSeconds(10)))
                .task("c"));
        assertThat(one.claim()).extracting(Claimed::taskId).containsExactly("a");
        assertThat(one.claim()).isEmpty();

        bench.clock.advance(Duration.ofSeconds(10));
        one.tender.tend();
        assertThat(one.claim()).extracting(Claimed::taskId).containsExactly("b");
        bench.clock.advance(Duration.ofSeconds(10));
        // Who asks for others comes upon it, too.
        one.claim(new Lane("other", "worker"));

        assertThat(one.claim()).extracting(Claimed::taskId).containsExactly("c");
    }

    @Test
    void theLateEndOfACancelledTaskLeavesItsPermitToOthers() {
        Limited one = new Limited(bench, 1);
        bench.load(new Flow("narrow-cancelled").task("a"));
        Claimed cancelled = one.claim().getFirst();
        bench.control.cancel("narrow-cancelled", 1);
        bench.load(new Flow("narrow-next").task("b"));
        assertThat(one.claim()).isEmpty();

        assertThat(one.succeed(cancelled)).isEqualTo(Ended.STALE);

        assertThat(one.claim()).extracting(Claimed::taskId).containsExactly("b");
    }

    @Test
    void anEndWhoseAnswerWasLostLeavesItsPermitToOthersWhenItIsToldAgain() {
        Limited one = new Limited(bench, 1);
        bench.load(new Flow("narrow-unanswered").task("a").task("b").task("c"));
        Claimed a = one.claim().getFirst();
        bench.advance.run(
                bench.partition,
                List.of(new RedisAdvance.End(a.held(), RedisAdvance.End.COMPLETED, "")),
                RedisAdvance.Asked.NOTHING);
        assertThat(one.claim()).isEmpty();

        assertThat(one.succeed(a)).isEqualTo(Ended.REPEATED);

        assertThat(one.claim()).extracting(Claimed::taskId).containsExactly("b");
        assertThat(one.succeed(a)).isEqualTo(Ended.REPEATED);
        assertThat(one.claim()).as("b runs on").isEmpty();
    }

    /** Those who work where a queue runs so many tasks at once. */
    private static final class Limited {
        final RedisTasks tasks;
        final Tender tender;

        Limited(RedisBench bench, int limit) {
            Permits permits = new FixedPermits(
                    new RedisPermits(bench.redis, bench.passes, bench.partitions), RedisBench.DEFAULT.queue(), limit);
            tasks = new RedisTasks(
                    bench.redis,
                    bench.passes,
                    bench.partitions,
                    bench.wakeups,
                    bench.advance,
                    new RedisTasks.Options(permits, 1_000_000));
            FreedPermits freed = new FreedPermits(permits, bench.partitions.all(), bench.wakeups);
            tender = new Tender(bench.advance, bench.partitions.all(), bench.wakeups, freed);
        }

        List<Claimed> claim() {
            return claim(RedisBench.DEFAULT);
        }

        List<Claimed> claim(Lane lane) {
            try {
                return tasks.claim(new Wanted("worker-1", List.of(lane), 5, RedisBench.LEASE, Duration.ZERO));
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }

        Ended succeed(Claimed task) {
            return tasks.end(List.of(new Ending.Completed(task.held(), null)), null)
                    .endings()
                    .getFirst();
        }
    }

    /** Of one queue, whose limit is known beforehand. */
    private record FixedPermits(RedisPermits redis, String queue, int limit) implements Permits {
        @Override
        public Set<String> limited() {
            return Set.of(queue);
        }

        @Override
        public List<String> take(String of, int wanted, Duration lease) {
            return redis.take(of, wanted, limit, lease);
        }

        @Override
        public void keep(String of, Collection<String> permits, Duration lease) {
            redis.keep(of, List.copyOf(permits), lease);
        }

        @Override
        public void give(String of, Collection<String> permits) {
            redis.give(of, List.copyOf(permits));
        }
    }

    @Test
    void whoMeetsTooManyTasksOfPausedJobsLooksAgainSoon() {
        Flow flow = new Flow("many");
        for (int i = 0; i < 2_500; i++) {
            flow.task("t" + i);
        }
        bench.load(flow);
        for (int i = 0; i < 8; i++) {
            bench.tender.tend();
        }
        bench.control.pause("many", 1);
        bench.clock.advance(Duration.ofSeconds(1));
        bench.load(new Flow("behind").task("a"));
        Claims claims = new Claims(bench.advance, Permits.NONE, bench.unlimited, 1_000_000);
        Wanted wanted = new Wanted("w", List.of(RedisBench.DEFAULT), 1, RedisBench.LEASE, Duration.ZERO);

        Claims.Found first = claims.take(wanted, 1, bench.partitions.all(), false);
        assertThat(first).returns(List.of(), Claims.Found::claimed).returns(true, Claims.Found::again);
        Claims.Found second = claims.take(wanted, 1, bench.partitions.all(), false);

        assertThat(second.claimed()).extracting(Claimed::jobId).containsExactly("behind");
        assertThat(claims.take(wanted, 1, bench.partitions.all(), false).again())
                .isFalse();
    }

    @Test
    void aLapsedAttemptThatIsHandedBackLeavesNothingToTheNext() {
        bench.load(new Flow("back-from-lapsed").task("a"));
        Claimed late = bench.claimOne();
        bench.clock.advance(RedisBench.LEASE);
        bench.tender.tend();
        assertThat(bench.lapsed.waiting(bench.partition, 10)).hasSize(1);

        assertThat(bench.end(new Ending.Released(late.held()))).isEqualTo(Ended.DONE);
        assertThat(bench.lapsed.waiting(bench.partition, 10)).isEmpty();
        Claimed next = bench.claimOne();
        bench.lapsed.waiting(bench.partition, 10).forEach(bench.lapsed::failed);

        assertThat(bench.succeed(next)).isEqualTo(Ended.DONE);
    }

    @Test
    void whatIsKnownOfOneLapsedAttemptSettlesNoOther() {
        bench.load(new Flow("lapses-again").task("a"));
        Claimed first = bench.claimOne();
        bench.clock.advance(RedisBench.LEASE);
        bench.tender.tend();
        Lapsed known = bench.lapsed.waiting(bench.partition, 10).getFirst();
        bench.end(new Ending.Released(first.held()));
        Claimed second = bench.claimOne();
        bench.clock.advance(RedisBench.LEASE);
        bench.tender.tend();

        bench.lapsed.failed(known);

        assertThat(bench.task("lapses-again", "a").status()).isEqualTo(RUNNING);
        Lapsed other = bench.lapsed.waiting(bench.partition, 10).getFirst();
        assertThat(other.held()).isEqualTo(second.held());
        bench.lapsed.failed(other);
        assertThat(bench.job("lapses-again").status()).isEqualTo(JobStatus.FAILED);
        assertThat(bench.lapsed.waiting(bench.partition, 10)).isEmpty();
    }

    @Test
    void whatLapsedOfACancelledJobMakesWay() {
        bench.load(new Flow("lapsed-cancelled").task("a"));
        bench.claimOne();
        bench.clock.advance(RedisBench.LEASE);
        bench.tender.tend();
        bench.control.cancel("lapsed-cancelled", 1);

        bench.lapsed.waiting(bench.partition, 10).forEach(bench.lapsed::failed);

        assertThat(bench.lapsed.waiting(bench.partition, 10)).isEmpty();
        assertThat(bench.archivedStates("lapsed-cancelled", "a")).isEmpty();
    }

    @Test
    void aWorkerMayBeCalledAsAPermitIsWritten() throws InterruptedException {
        bench.load(new Flow("named").task("a").task("b"));
        Wanted wanted = new Wanted("p:1", List.of(RedisBench.DEFAULT), 2, RedisBench.LEASE, Duration.ZERO);
        List<Claimed> both = bench.tasks.claim(wanted);

        assertThat(bench.succeed(both.get(0))).isEqualTo(Ended.DONE);
        bench.clock.advance(RedisBench.LEASE);
        bench.tender.tend();
        bench.lapsed.waiting(bench.partition, 10).forEach(bench.lapsed::failed);

        assertThat(bench.job("named").counts()).containsEntry(SUCCEEDED, 1).containsEntry(FAILED, 1);
    }

    @Test
    void aWorkerThatIsLateButAloneMayStillEndItsLastAttempt() {
        bench.load(new Flow("late-but-alone").task("a"));
        Claimed slow = bench.claimOne();
        bench.clock.advance(RedisBench.LEASE);
        bench.tender.tend();
        Lapsed lapsed = bench.lapsed.waiting(bench.partition, 10).getFirst();

        assertThat(bench.succeed(slow)).isEqualTo(Ended.DONE);
        bench.lapsed.failed(lapsed);

        assertThat(bench.job("late-but-alone").status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(bench.lapsed.waiting(bench.partition, 10)).isEmpty();
    }

    @Test
    void aHeartbeatMovesTheLeaseUpToTheTimeoutOnly() {
        bench.load(new Flow("slow")
                .task(
                        "a",
                        t -> Flow.timeout(Duration.ofSeconds(70))
                                .apply(Flow.retries(1).apply(t))));
        Claimed task = bench.claimOne();
        bench.clock.advance(Duration.ofSeconds(29));
        assertThat(until(task)).isEqualTo(bench.clock.instant().plus(RedisBench.LEASE));
        bench.clock.advance(Duration.ofSeconds(29));
        assertThat(until(task)).isEqualTo(RedisBench.NOON.plusSeconds(70));
        bench.clock.advance(Duration.ofSeconds(12));

        bench.tender.tend();

        assertThat(bench.task("slow", "a").status()).isEqualTo(DELAYED);
        assertThat(bench.task("slow", "a").error()).isEqualTo("timed out");
        assertThat(bench.tasks
                        .keep(List.of(task.held()), RedisBench.LEASE)
                        .getFirst()
                        .until())
                .isEmpty();
    }

    @Test
    void aHeartbeatThatAsksForNoLessThanItHasTakesNothingAway() {
        bench.load(new Flow("long").task("a", Flow.timeout(Duration.ofSeconds(70))));
        Claimed task = bench.claimOne();
        Duration brief = Duration.ofSeconds(10);

        assertThat(atLeast(task, brief)).isEqualTo(RedisBench.NOON.plus(RedisBench.LEASE));
        bench.clock.advance(Duration.ofSeconds(25));
        assertThat(atLeast(task, brief)).isEqualTo(RedisBench.NOON.plusSeconds(35));
        bench.clock.advance(Duration.ofSeconds(5));
        assertThat(atLeast(task, Duration.ofHours(1))).isEqualTo(RedisBench.NOON.plusSeconds(70));
        assertThat(bench.tasks.keep(List.of(task.held()), brief).getFirst().until())
                .contains(RedisBench.NOON.plusSeconds(40));
    }

    @Test
    void nobodyIsCalledDeadForOurOwnSilence() {
        bench.load(new Flow("silence").task("a"));
        Claimed task = bench.claimOne();
        bench.clock.advance(Duration.ofMinutes(5));
        target.commands()
                .hset(
                        "dev:hotstate:" + bench.partition + ":incarnation",
                        "resumed",
                        Long.toString(bench.clock.instant().toEpochMilli() * 1000));

        assertThat(bench.claim(5)).isEmpty();
        assertThat(bench.lapsed.waiting(bench.partition, 5)).isEmpty();
        bench.clock.advance(Duration.ofSeconds(29));
        assertThat(bench.tasks
                        .keep(List.of(task.held()), RedisBench.LEASE)
                        .getFirst()
                        .until())
                .isPresent();
        assertThat(bench.succeed(task)).isEqualTo(Ended.DONE);
    }

    @Test
    void nobodyIsCalledDeadWhoseLeaseEndsJustAfterOurOwnSilence() {
        bench.load(new Flow("just-after").task("a"));
        Claimed task = bench.claimOne();
        bench.clock.advance(RedisBench.LEASE.minusMillis(1));
        target.commands()
                .hset(
                        "dev:hotstate:" + bench.partition + ":incarnation",
                        "resumed",
                        Long.toString(bench.clock.instant().toEpochMilli() * 1000));
        bench.clock.advance(Duration.ofMillis(2));

        bench.tender.tend();

        assertThat(bench.lapsed.waiting(bench.partition, 5)).isEmpty();
        assertThat(until(task)).isEqualTo(bench.clock.instant().plus(RedisBench.LEASE));
        bench.clock.advance(RedisBench.LEASE);
        bench.tender.tend();
        assertThat(bench.lapsed.waiting(bench.partition, 5)).hasSize(1);
    }

    @Test
    void fencesGrowAlsoWhenTheClockGoesBack() {
        bench.load(new Flow("clock").task("a", Flow.retries(3)));
        Claimed first = bench.claimOne();
        bench.clock.advance(Duration.ofHours(-1));
        bench.end(new Ending.Released(first.held()));

        Claimed second = bench.claimOne();

        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(bench.succeed(second)).isEqualTo(Ended.DONE);
    }

    @Test
    void aPausedJobHandsOutNothingAndGoesOnWhereItWas() {
        Flow flow = new Flow("paused").task("a").task("b").task("c", "a");
        bench.load(flow);
        Claimed a = bench.claim(1).getFirst();
        assertThat(bench.control.pause("paused", 1)).isEqualTo(RedisControl.Told.DONE);

        assertThat(bench.claim(10)).isEmpty();
        assertThat(bench.succeed(a)).isEqualTo(Ended.DONE);
        assertThat(bench.claim(10)).isEmpty();
        assertThat(bench.task("paused", "b").parked()).isTrue();
        assertThat(bench.task("paused", "c").parked()).isTrue();
        assertThat(bench.job("paused").status()).isEqualTo(JobStatus.PAUSED);

        assertThat(bench.control.resume("paused", 1)).isEqualTo(RedisControl.Told.DONE);
        List<Claimed> both = bench.claim(10);
        assertThat(both).extracting(Claimed::taskId).containsExactlyInAnyOrder("b", "c");
        both.forEach(bench::succeed);
        assertThat(bench.job("paused").status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(bench.archivedStates("paused", ""))
                .containsExactly("PENDING", "RUNNING", "PAUSED", "RUNNING", "SUCCEEDED");
    }

    @Test
    void manyParkedTasksAreReadyAgainInSteps() {
        Flow flow = new Flow("parked").paused();
        for (int i = 0; i < 1_100; i++) {
            flow.task("t" + i);
        }
        bench.load(flow);
        for (int i = 0; i < 4; i++) {
            bench.tender.tend();
        }
        assertThat(bench.claim(10)).isEmpty();
        bench.control.resume("parked", 1);

        for (int i = 0; i < 6; i++) {
            bench.tender.tend();
        }

        assertThat(bench.look.depths()).containsEntry(RedisBench.DEFAULT, new RedisLook.Depth(1_100, Duration.ZERO));
        assertThat(bench.job("parked").counts()).containsEntry(READY, 1_100);
    }

    @Test
    void tasksThatFailTogetherComeBackOneAfterTheOther() {
        bench.load(new Flow("together")
                .task("a", Flow.retries(1))
                .task("b", Flow.retries(1))
                .task("c", Flow.retries(1)));
        List<Ending> failures = bench.claim(3).stream()
                .<Ending>map(one -> new Ending.Failed(one.held(), "it broke", true))
                .toList();

        bench.tasks.end(failures, null);

        assertThat(bench.look.tasks("together", List.of("a", "b", "c")).values())
                .extracting(LiveTask::dueAt)
                .doesNotHaveDuplicates()
                .allSatisfy(due -> assertThat(due)
                        .isBetween(RedisBench.NOON.plusMillis(7_500), RedisBench.NOON.plusMillis(10_000)));
    }

    @Test
    void whatWaitsLongestIsSeenWhateverItsPriority() {
        bench.load(new Flow("humble").task("a", Flow.lane("default", new Run.External(), 1, null)));
        bench.clock.advance(Duration.ofSeconds(20));
        for (int i = 0; i < 15; i++) {
            bench.load(new Flow("urgent" + i).task("a", Flow.lane("default", new Run.External(), 9 + i, null)));
        }
        bench.clock.advance(Duration.ofSeconds(1));

        assertThat(bench.look.depths())
                .containsEntry(RedisBench.DEFAULT, new RedisLook.Depth(16, Duration.ofSeconds(21)));
    }

    @Test
    void ofVeryManyLanesEachInWhichSomethingIsReadyIsSeen() {
        Flow many = new Flow("many-lanes").task("first");
        for (int i = 0; i < 1_500; i++) {
            many.task("t" + i, Flow.lane("q" + i, new Run.External(), 0, null), "first");
        }
        bench.load(many);
        bench.succeed(bench.claimOne());
        for (int i = 0; i < 6; i++) {
            bench.tender.tend();
        }
        for (int i = 0; i < 300; i++) {
            bench.load(new Flow("alone-" + i).task("a", Flow.lane("alone" + i, new Run.External(), 0, null)));
        }

        assertThat(bench.look.depths().values().stream().filter(depth -> depth.ready() == 1))
                .hasSize(1_800);
    }

    @Test
    void lanesInWhichNothingIsReadyAnyMoreMakeWay() {
        for (int i = 0; i < 1_200; i++) {
            Lane lane = new Lane("q" + i, Run.External.LANE);
            bench.load(new Flow("passing-" + i).task("a", Flow.lane(lane.queue(), new Run.External(), 0, null)));
            bench.succeed(bench.claim(1, lane).getFirst());
        }

        assertThat(bench.look.depths()).hasSizeBetween(990, 1_000).containsKey(new Lane("q1199", Run.External.LANE));
    }

    @Test
    void manyLeasesAreReadAPageAtATime() {
        Flow wide = new Flow("wide-held");
        for (int i = 0; i < 600; i++) {
            wide.task("t" + i);
        }
        bench.load(wide);
        for (int i = 0; i < 4; i++) {
            bench.tender.tend();
        }
        for (int i = 0; i < 6; i++) {
            assertThat(bench.claim(100)).hasSize(100);
        }

        assertThat(bench.look.leases(10_000)).hasSize(600);
        assertThat(bench.look.leases(550)).hasSize(550);
    }

    @Test
    void ofTasksThatNeedVeryManyOthersOnlySomeAreHandedOutInACall() {
        List<TaskCell> cells = new ArrayList<>();
        Flow flow = new Flow("needy");
        String[] needs = new String[1_000];
        for (int i = 0; i < needs.length; i++) {
            needs[i] = "n" + i;
            flow.task(needs[i]);
        }
        for (int i = 0; i < 6; i++) {
            flow.task("t" + i, needs);
        }
        for (TaskCell cell : flow.cells()) {
            boolean needed = cell.spec().needs().isEmpty();
            cells.add(new TaskCell(
                    cell.spec(),
                    needed ? TaskStatus.SUCCEEDED : TaskStatus.READY,
                    0,
                    0,
                    0,
                    0,
                    cell.dependents(),
                    needed ? "1" : null));
        }
        JobHead head = new JobHead(
                "needy", "needy", "tests", RedisBench.NOON, 1, JobStatus.RUNNING, 1_006, 6, 1_000, 0, 0, false, null);
        bench.graphs.load(head, cells);
        bench.tender.tend();

        assertThat(bench.claim(6))
                .hasSize(4)
                .allSatisfy(one -> assertThat(one.results()).hasSize(1_000));
        assertThat(bench.claim(6)).hasSize(2);
    }

    @Test
    void aCancelledJobHasEndedAtOnceAndItsWorkersAreToldSo() {
        Flow flow = new Flow("cancelled").task("a").task("b").task("c", "a").task("d", Flow.retries(1));
        bench.load(flow);
        List<Claimed> held = bench.claim(3);
        bench.fail(held.get(2));

        assertThat(bench.control.cancel("cancelled", 1)).isEqualTo(RedisControl.Told.DONE);

        assertThat(bench.job("cancelled").status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(bench.job("cancelled").counts()).containsEntry(dev.hotstate.jobs.graph.TaskStatus.CANCELLED, 4);
        assertThat(bench.tasks.keep(List.of(held.get(0).held()), RedisBench.LEASE))
                .containsExactly(new Tasks.Kept(Optional.empty(), true));
        assertThat(bench.succeed(held.get(0))).isEqualTo(Ended.STALE);
        bench.clock.advance(Duration.ofMinutes(1));
        assertThat(bench.claim(10)).isEmpty();
        assertThat(bench.look.leases(10)).isEmpty();
        assertThat(bench.lapsed.waiting(bench.partition, 10)).isEmpty();
        assertThat(bench.control.cancel("cancelled", 1)).isEqualTo(RedisControl.Told.ENDED);
        assertThat(bench.archivedStates("cancelled", "")).containsExactly("PENDING", "RUNNING", "CANCELLED");
    }

    @Test
    void aDelayedJobBeginsWhenItsTimeHasCome() {
        bench.load(new Flow("tomorrow").task("a").task("b", "a").startingAt(RedisBench.NOON.plusSeconds(60)));

        bench.clock.advance(Duration.ofSeconds(59));
        assertThat(bench.claim(5)).isEmpty();
        bench.clock.advance(Duration.ofSeconds(1));

        assertThat(bench.claimOne().taskId()).isEqualTo("a");
    }

    @Test
    void nothingIsHandedOutWhileTooMuchWaitsForPostgres() throws InterruptedException {
        bench.close();
        bench = new RedisBench(target, 3);
        for (int i = 0; i < 4; i++) {
            bench.load(new Flow("job-" + i).task("a"));
        }

        assertThat(bench.claim(5)).isEmpty();
        bench.archived();

        assertThat(bench.claim(5)).hasSize(4);
    }

    @Test
    void linesOfALogAreNumberedAndTheLastThousandKept() {
        bench.load(new Flow("logs").task("a"));
        Claimed task = bench.claimOne();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            lines.add("line " + i);
        }
        lines.add("x".repeat(10_000));
        assertThat(bench.tasks.log(task.held(), List.of())).isTrue();
        assertThat(bench.tasks.log(task.held(), lines)).isTrue();
        assertThat(bench.tasks.log(task.held(), List.of())).isTrue();

        LogPart part = bench.look.lines("logs", "a", 0, 2).orElseThrow();
        assertThat(part.from()).isEqualTo(501);
        assertThat(part.lines())
                .containsExactly(
                        RedisBench.NOON.toEpochMilli() + " line 501", RedisBench.NOON.toEpochMilli() + " line 502");
        LogPart end = bench.look.lines("logs", "a", 1_500, 10).orElseThrow();
        assertThat(end.lines().getFirst()).hasSize(14 + RedisTasks.MAX_LINE);
        assertThat(end.next()).isEqualTo(1_501);
        assertThat(end.ended()).isFalse();
        bench.succeed(task);
        assertThat(bench.tasks.log(task.held(), List.of("too late"))).isFalse();
        assertThat(bench.tasks.log(task.held(), List.of())).isFalse();
        assertThat(bench.look.lines("logs", "a", 1_501, 10).orElseThrow())
                .isEqualTo(new LogPart(1_501, List.of(), 1_501, true));
        assertThat(bench.archived()).filteredOn(Transition::logged).hasSize(1);
    }

    @Test
    void whoWorksOnWhatIsSeen() {
        bench.load(new Flow("seen").task("a"));
        Claimed task = bench.claimOne();

        assertThat(bench.look.leases(10))
                .containsExactly(new RedisLook.Lease(
                        task.held(), RedisBench.DEFAULT, "worker-1", RedisBench.NOON.plus(RedisBench.LEASE)));
        assertThat(bench.look.askers())
                .containsExactly(new RedisLook.Asker("worker-1", List.of("default"), RedisBench.NOON));
    }

    @Test
    void nothingActsOnAPartitionThatIsBeingRebuilt() {
        bench.load(new Flow("job").task("a"));
        Claimed task = bench.claimOne();
        Passes other = Passes.always(new Pass.Ready(2));
        RedisAdvance advance = new RedisAdvance(bench.redis, other, bench.wakeups, () -> 0);
        Tasks tasks = new RedisTasks(
                bench.redis, other, bench.partitions, bench.wakeups, advance, new RedisTasks.Options(Permits.NONE, 10));
        RedisGraphs graphs = bench.graphs.under(new Pass.Rebuilder(2, 1));

        refused(() -> tasks.end(List.of(new Ending.Completed(task.held(), null)), null));
        refused(() -> tasks.keep(List.of(task.held()), RedisBench.LEASE));
        refused(() -> tasks.log(task.held(), List.of("line")));
        refused(() -> tasks.claim(new Wanted("w", List.of(RedisBench.DEFAULT), 1, RedisBench.LEASE, Duration.ZERO)));
        refused(() -> graphs.load(
                new Flow("other").task("a").head(), new Flow("other").task("a").cells()));
        refused(() -> graphs.retire("job", List.of("a"), Duration.ofHours(1)));
        refused(() -> new RedisControl(bench.redis, other, bench.partitions, bench.wakeups).cancel("job", 1));
        refused(() -> new RedisArchive(bench.redis, other).drain(bench.partition, "here", "", 10));
        assertThat(bench.succeed(task)).isEqualTo(Ended.DONE);
    }

    /** Completes a task; the one that comes with it. */
    private Claimed next(Claimed task, @Nullable String result, Lane... lanes) {
        return next(task, result, 5, lanes);
    }

    /** Where more than one may be ready. */
    private Claimed nextOne(Claimed task) {
        return next(task, null, 1, RedisBench.DEFAULT);
    }

    private Claimed next(Claimed task, @Nullable String result, int max, Lane... lanes) {
        Tasks.Advanced advanced = bench.tasks.end(
                List.of(new Ending.Completed(task.held(), result)),
                new Wanted("worker-1", List.of(lanes), max, RedisBench.LEASE, Duration.ZERO));
        assertThat(advanced.endings()).containsExactly(Ended.DONE);
        assertThat(advanced.next()).hasSize(1);
        return advanced.next().getFirst();
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        Assertions.assertThatThrownBy(call).isInstanceOf(RebuildingException.class);
    }

    private java.time.Instant until(Claimed task) {
        return bench.tasks
                .keep(List.of(task.held()), RedisBench.LEASE)
                .getFirst()
                .until()
                .orElseThrow();
    }

    private java.time.Instant atLeast(Claimed task, Duration lease) {
        return bench.tasks
                .keepAtLeast(List.of(task.held()), lease)
                .getFirst()
                .until()
                .orElseThrow();
    }

    private static String idIn(Partitions partitions, Partition wanted) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "job-" + i)
                .filter(id -> partitions.of(id).equals(wanted))
                .findFirst()
                .orElseThrow();
    }
}
