package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.core.Due;
import dev.hotstate.core.ReadyPartition;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.monitors.Live.Beat;
import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.RedisOutages.Outage;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.monitors.RedisPlaces.Known;
import dev.hotstate.monitors.RedisPlaces.Place;
import dev.hotstate.monitors.check.Outcome;
import dev.hotstate.monitors.check.Outcome.Phases;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an outcome does to its monitor, on one Redis and on a cluster. */
abstract class OutcomesContract {
    private final RedisTarget target;
    private Bench bench;

    OutcomesContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void open() {
        bench = new Bench(target);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aNewMonitorIsPendingAndDueAtOnce() {
        Monitor web = bench.placed("web", Bench.MINUTELY);

        assertThat(bench.look(web).state()).isEqualTo(State.PENDING);
        assertThat(bench.look(web).nextRunAt()).isEqualTo(Bench.NOON);
        assertThat(bench.counts()).containsEntry(State.PENDING, 1L).containsEntry(State.UP, 0L);
        assertThat(bench.claim().claims()).hasSize(1);
        assertThat(bench.look(web).checking()).isTrue();
        assertThat(bench.look(web).nextRunAt()).isNull();
    }

    @Test
    void aSuccessIsShownWithAllThatWasMeasured() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Outcome outcome =
                new Outcome(true, 200, Duration.ofMillis(120), null, false, new Phases(1.25, 2.0, 3.5, 90.0), 42);

        Recorded recorded = bench.record(web, outcome);

        Live live = bench.look(web);
        assertThat(recorded.before()).isEqualTo(State.PENDING);
        assertThat(recorded.state()).isEqualTo(State.UP);
        assertThat(live.state()).isEqualTo(State.UP);
        assertThat(live.statusCode()).isEqualTo(200);
        assertThat(live.latencyMs()).isEqualTo(120);
        assertThat(live.checkedAt()).isEqualTo(Bench.NOON);
        assertThat(live.lastOkAt()).isEqualTo(Bench.NOON);
        assertThat(live.certificateDaysLeft()).isEqualTo(42);
        assertThat(live.phases()).isEqualTo(new Phases(1.3, 2.0, 3.5, 90.0));
        assertThat(live.nextRunAt()).isEqualTo(recorded.nextRun());
        assertThat(live.beats()).containsExactly(new Beat(Bench.NOON, State.UP, 120));
        assertThat(bench.counts()).containsEntry(State.UP, 1L).containsEntry(State.PENDING, 0L);
    }

    @Test
    void runsFollowEachOtherByTheIntervalAtAPhaseOfTheirOwn() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Instant first = bench.passes(web).nextRun();

        bench.clock.set(first);
        Instant second = bench.passes(web).nextRun();

        assertThat(Duration.between(Bench.NOON, first)).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(60));
        assertThat(Duration.between(first, second)).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void aFailureIsLookedAtAgainBeforeItCounts() {
        Monitor web = bench.placed("web", Bench.MINUTELY);

        Recorded first = bench.fails(web);
        Recorded second = bench.fails(web);
        Recorded third = bench.fails(web);

        assertThat(first.nextRun()).isEqualTo(Bench.NOON.plusSeconds(5));
        assertThat(first.failures()).isZero();
        assertThat(first.state()).isEqualTo(State.DEGRADED);
        assertThat(second.failures()).isZero();
        assertThat(third.failures()).isEqualTo(1);
        assertThat(third.state()).isEqualTo(State.DEGRADED);
        assertThat(third.untold()).isFalse();
        assertThat(bench.look(web).error()).isEqualTo("connection refused");
        assertThat(bench.look(web).retries()).isZero();
    }

    @Test
    void aSuccessBetweenRetriesLeavesNothingBehind() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.fails(web);
        bench.failsForGood(web);

        bench.passes(web);

        Live live = bench.look(web);
        assertThat(live.state()).isEqualTo(State.UP);
        assertThat(live.failureCount()).isZero();
        assertThat(live.firstFailureAt()).isNull();
        assertThat(live.error()).isNull();
        assertThat(bench.outages.of(bench.partition, "web").none()).isTrue();
    }

    @Test
    void whatIsNotWorthARetryCountsAtOnce() {
        Monitor web = bench.placed("web", Bench.MINUTELY);

        assertThat(bench.failsForGood(web).failures()).isEqualTo(1);
    }

    @Test
    void withTheThresholdAnIncidentIsWantedUntilPostgresHasIt() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.failsForGood(web);
        bench.clock.advance(Duration.ofSeconds(60));

        Recorded second = bench.failsForGood(web);
        assertThat(second.state()).isEqualTo(State.DOWN);
        assertThat(second.untold()).isTrue();
        assertThat(bench.failsForGood(web).untold()).isTrue();

        Outages untold = bench.outages.of(bench.partition, "web");
        Outage current = untold.current();
        assertThat(current.startedAt()).isEqualTo(Bench.NOON);
        assertThat(current.failureCount()).isEqualTo(3);
        assertThat(current.error()).isEqualTo("certificate expired");
        assertThat(bench.outages.settled(bench.partition, "web", untold, OptionalLong.of(7)))
                .isFalse();

        assertThat(bench.failsForGood(web).untold()).isFalse();
        assertThat(bench.look(web).incident()).isEqualTo(7);
        assertThat(bench.outages.of(bench.partition, "web").none()).isTrue();
    }

    @Test
    void whileItIsDownEachFailureCountsWithoutRetries() {
        Monitor web = down("web");

        Recorded next = bench.fails(web);

        assertThat(next.failures()).isEqualTo(3);
        assertThat(bench.look(web).retries()).isZero();
    }

    @Test
    void anOutageEndsAfterEnoughSuccessesAndWaitsForPostgres() {
        Monitor web = down("web");
        bench.clock.advance(Duration.ofSeconds(60));

        Recorded first = bench.passes(web);
        Recorded second = bench.passes(web);

        assertThat(first.state()).isEqualTo(State.DOWN);
        assertThat(second.state()).isEqualTo(State.UP);
        assertThat(second.untold()).isTrue();
        Outages untold = bench.outages.of(bench.partition, "web");
        assertThat(untold.current()).isNull();
        assertThat(untold.ended()).singleElement().satisfies(outage -> {
            assertThat(outage.startedAt()).isEqualTo(Bench.NOON);
            assertThat(outage.endedAt()).isEqualTo(Bench.NOON.plusSeconds(60));
            assertThat(outage.failureCount()).isEqualTo(2);
            assertThat(outage.error()).isEqualTo("certificate expired");
        });
        assertThat(bench.passes(web).untold()).isTrue();

        assertThat(bench.outages.settled(bench.partition, "web", untold, OptionalLong.empty()))
                .isFalse();
        assertThat(bench.passes(web).untold()).isFalse();
    }

    @Test
    void aFailureBetweenSuccessesStartsTheirCountAnew() {
        Monitor web = down("web");

        bench.passes(web);
        bench.failsForGood(web);

        assertThat(bench.passes(web).state()).isEqualTo(State.DOWN);
        assertThat(bench.passes(web).state()).isEqualTo(State.UP);
    }

    @Test
    void anotherOutageBeforePostgresHeardOfTheFirstIsAnotherOne() {
        Monitor web = down("web");
        bench.clock.advance(Duration.ofSeconds(30));
        bench.passes(web);
        bench.passes(web);
        bench.clock.advance(Duration.ofSeconds(30));
        bench.failsForGood(web);
        bench.failsForGood(web);

        Outages untold = bench.outages.of(bench.partition, "web");

        assertThat(untold.ended()).extracting(Outage::startedAt).containsExactly(Bench.NOON);
        assertThat(untold.current().startedAt()).isEqualTo(Bench.NOON.plusSeconds(60));
    }

    @Test
    void whatCameWhilePostgresWasToldStaysUntold() {
        Monitor web = down("web");
        Outages untold = bench.outages.of(bench.partition, "web");
        bench.passes(web);
        bench.passes(web);

        boolean more = bench.outages.settled(bench.partition, "web", untold, OptionalLong.of(7));

        assertThat(more).isTrue();
        assertThat(bench.outages.of(bench.partition, "web").ended()).hasSize(1);
    }

    @Test
    void whatNobodyToldIsTakenUpAfterAWhileByOneAtATime() {
        down("web");
        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).isEmpty();

        bench.clock.advance(Duration.ofSeconds(6));

        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).containsExactly("web");
        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).isEmpty();
        bench.clock.advance(Duration.ofSeconds(6));
        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).containsExactly("web");
    }

    @Test
    void endedOutagesThatWaitAreBounded() {
        Monitor web = bench.placed("web", new Rhythm(Duration.ofSeconds(60), 0, Duration.ofSeconds(5), 1, 1));
        for (int i = 0; i < 30; i++) {
            bench.fails(web);
            bench.passes(web);
            bench.clock.advance(Duration.ofSeconds(60));
        }

        assertThat(bench.outages.of(bench.partition, "web").ended()).hasSize(20);
    }

    @Test
    void aLateOutcomeIsRefusedAndChangesNothing() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Claimed slow = bench.claim();
        bench.clock.advance(RedisOutcomes.LEASE);
        Claimed other = bench.claim();

        assertThat(bench.record(web, slow, Outcome.failed(Duration.ZERO, "timed out", true), false))
                .isEmpty();
        assertThat(bench.look(web).state()).isEqualTo(State.PENDING);
        assertThat(bench.record(web, other, Outcome.passed(Duration.ofMillis(5)), false))
                .isPresent();
        assertThat(bench.record(web, other, Outcome.failed(Duration.ZERO, "twice", true), false))
                .isEmpty();
        assertThat(bench.look(web).state()).isEqualTo(State.UP);
    }

    @Test
    void anOutcomeOfTheFormerDefinitionIsRefused() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Claimed slow = bench.claim();

        bench.places.place(List.of(new Place(bench.definition(web), Due.now(), false)));

        assertThat(bench.record(web, slow, Outcome.passed(Duration.ZERO), false))
                .isEmpty();
        assertThat(bench.claim().claims()).hasSize(1);
    }

    @Test
    void aDefinitionIsPlacedOnceHoweverManyTellOfIt() {
        Monitor web = Bench.monitor("web", Bench.MINUTELY);
        Definition older = bench.definition(web);
        Definition newer = bench.definition(web);
        bench.places.place(List.of(new Place(newer, Due.now(), false)));
        bench.passes(web);
        Instant next = bench.look(web).nextRunAt();

        bench.places.place(List.of(new Place(newer, Due.now(), false), new Place(older, Due.now(), false)));

        assertThat(bench.look(web).nextRunAt()).isEqualTo(next);
        assertThat(bench.live.versions(bench.partition, List.of("web", "other")))
                .containsExactly(newer.version(), null);
    }

    @Test
    void aPausedMonitorIsNotCheckedAndCountsNowhere() {
        Monitor web = down("web");
        Monitor paused = web.withPaused(true);

        bench.places.place(List.of(new Place(bench.definition(paused), Due.now(), false)));

        bench.clock.advance(Duration.ofHours(1));
        assertThat(bench.claim().claims()).isEmpty();
        assertThat(bench.look(paused).state()).isEqualTo(State.PAUSED);
        assertThat(bench.counts().values()).containsOnly(0L);

        bench.places.place(List.of(new Place(bench.definition(web), Due.now(), false)));
        assertThat(bench.claim().claims()).hasSize(1);
        assertThat(bench.look(web).state()).isEqualTo(State.STALE);
        assertThat(bench.counts()).containsEntry(State.STALE, 1L);
    }

    @Test
    void aMonitorThatNobodyChecksIsStaleAndNeverGreen() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.passes(web);

        bench.clock.advance(Duration.ofSeconds(75));
        assertThat(bench.look(web).state()).isEqualTo(State.UP);

        bench.clock.advance(Duration.ofMillis(1));
        assertThat(bench.look(web).state()).isEqualTo(State.STALE);
        assertThat(bench.counts()).containsEntry(State.STALE, 1L).containsEntry(State.UP, 0L);
        assertThat(bench.live.in(State.STALE)).containsExactly("web");
        assertThat(bench.live.in(State.UP)).isEmpty();
    }

    @Test
    void maintenanceCountsNoFailureAndShowsItself() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Outcome failure = Outcome.failed(Duration.ZERO, "refused", false);

        Recorded recorded = bench.record(web, failure, true);
        bench.record(web, failure, true);

        assertThat(recorded.state()).isEqualTo(State.MAINTENANCE);
        assertThat(bench.look(web).failureCount()).isZero();
        assertThat(bench.live.in(State.MAINTENANCE)).containsExactly("web");
        assertThat(bench.look(web).beats()).extracting(Beat::state).containsOnly(State.MAINTENANCE);
    }

    @Test
    void maintenanceThatBeginsAndEndsMovesAMonitorInTheIndexWithoutACheck() {
        Monitor web = down("web");
        Monitor fresh = bench.placed("fresh", Bench.MINUTELY);

        bench.places.cover(bench.partition, List.of(web, fresh), true);
        assertThat(bench.counts()).containsEntry(State.MAINTENANCE, 2L).containsEntry(State.DOWN, 0L);

        bench.places.cover(bench.partition, List.of(web, fresh), false);
        assertThat(bench.counts()).containsEntry(State.DOWN, 1L).containsEntry(State.PENDING, 1L);
    }

    @Test
    void listsByStateAndLatencyNeedNoLookAtEachMonitor() {
        Monitor up = bench.placed("up", Bench.MINUTELY);
        Monitor slow = bench.placed("slow", Bench.MINUTELY);
        bench.passes(up);
        bench.record(slow, Outcome.passed(Duration.ofMillis(900)));
        Monitor degraded = bench.placed("degraded", Bench.MINUTELY);
        bench.fails(degraded);
        down("down");
        bench.placed("pending", Bench.MINUTELY);

        assertThat(bench.live.in(State.UP)).containsExactlyInAnyOrder("up", "slow");
        assertThat(bench.live.in(State.DEGRADED)).containsExactly("degraded");
        assertThat(bench.live.in(State.DOWN)).containsExactly("down");
        assertThat(bench.live.in(State.PENDING)).containsExactly("pending");
        assertThat(bench.live.latencies()).containsEntry("slow", 900L).containsEntry("up", 120L);
    }

    @Test
    void aDeletedMonitorLeavesNoKey() {
        Monitor web = down("web");
        bench.passes(web);
        bench.passes(web);
        bench.fails(web);

        bench.places.remove(List.of("web"));

        assertThat(bench.look(web).checkedAt()).isNull();
        assertThat(bench.look(web).beats()).isEmpty();
        assertThat(bench.outages.of(bench.partition, "web").none()).isTrue();
        assertThat(bench.claim().claims()).isEmpty();
        assertThat(bench.counts().values()).containsOnly(0L);
        assertThat(bench.live.latencies()).isEmpty();
    }

    @Test
    void theBarKeepsTheLastThirtyOutcomesWithTheirTimes() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        for (int i = 0; i < 40; i++) {
            bench.record(web, Outcome.passed(Duration.ofMillis(i)));
            bench.clock.advance(Duration.ofSeconds(60));
        }
        bench.failsForGood(web);
        Instant last = bench.clock.instant();

        List<Beat> beats = bench.look(web).beats();

        assertThat(beats).hasSize(30);
        assertThat(beats.getLast()).isEqualTo(new Beat(last, State.DEGRADED, 40));
        assertThat(beats.get(28)).isEqualTo(new Beat(last.minusSeconds(60), State.UP, 39));
        assertThat(beats.getFirst().at()).isEqualTo(last.minusSeconds(29 * 60));
    }

    @Test
    void paceTellsChecksAndLagOfTheLastMinute() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        for (int i = 0; i < 30; i++) {
            bench.passes(web);
        }
        bench.failsForGood(web);
        bench.clock.advance(Duration.ofSeconds(30));

        Pace pace = bench.live.pace(bench.clock.instant());

        assertThat(pace.checksPerSecond()).isEqualTo(31 / 60.0);
        assertThat(pace.failuresPerSecond()).isEqualTo(1 / 60.0);
        assertThat(pace.lagP99Ms()).isBetween(3.0, 4.0);
    }

    @Test
    void aRebuiltMonitorKnowsItsIncidentAndIsNotToldAgain() {
        Monitor web = Bench.monitor("web", Bench.MINUTELY);
        Known known = new Known(
                new Place(bench.definition(web), Due.in(Duration.ofSeconds(9)), false),
                Map.of(
                        "checked_at",
                        ms(Bench.NOON.minusSeconds(30)),
                        "ok",
                        "0",
                        "latency_ms",
                        "12",
                        "error",
                        "refused"),
                Map.of(
                        "failure_count",
                        "4",
                        "first_failure_at",
                        ms(Bench.NOON.minusSeconds(300)),
                        "wanted",
                        "1",
                        "alerted",
                        "1",
                        "incident_id",
                        "77"));

        bench.places.revive(bench.partition, bench.passes.of(bench.partition), List.of(known));

        assertThat(bench.look(web).state()).isEqualTo(State.DOWN);
        assertThat(bench.look(web).nextRunAt()).isEqualTo(Bench.NOON.plusSeconds(9));
        assertThat(bench.counts()).containsEntry(State.DOWN, 1L);
        assertThat(bench.failsForGood(web).untold()).isFalse();
        bench.passes(web);
        bench.passes(web);
        assertThat(bench.outages.of(bench.partition, "web").ended())
                .singleElement()
                .extracting(Outage::incident)
                .isEqualTo(OptionalLong.of(77));
    }

    @Test
    void anOpenIncidentThatRedisForgotIsRecalledAndEndedByTheNextSuccess() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Map<String, String> fields =
                Map.of("failure_count", "2", "first_failure_at", ms(Bench.NOON), "wanted", "1", "incident_id", "9");

        assertThat(bench.outages.recall(bench.partition, "web", fields)).isTrue();
        assertThat(bench.outages.recall(bench.partition, "web", fields)).isFalse();
        bench.passes(web);
        bench.passes(web);

        assertThat(bench.outages.recall(bench.partition, "web", fields)).isFalse();
        assertThat(bench.outages.of(bench.partition, "web").ended())
                .singleElement()
                .extracting(Outage::incident)
                .isEqualTo(OptionalLong.of(9));
    }

    @Test
    void theJobOfAPushMonitorMustEndWithinItsGraceOnceItBegan() {
        Monitor job = bench.placed("job", Bench.MINUTELY);
        RedisPings pings = new RedisPings(bench.redis, bench.passes);
        bench.clock.advance(Duration.ofSeconds(7));

        assertThat(pings.begun(bench.partition, job)).isTrue();

        assertThat(bench.look(job).startedAt()).isEqualTo(Bench.NOON.plusSeconds(7));
        assertThat(bench.look(job).nextRunAt()).isEqualTo(Bench.NOON.plusSeconds(17));
        assertThat(bench.look(job).state()).isEqualTo(State.PENDING);
        assertThat(pings.begun(bench.partition, Bench.monitor("unknown", Bench.MINUTELY)))
                .isFalse();
        bench.passes(job);
        assertThat(bench.look(job).startedAt()).isNull();
    }

    @Test
    void nothingIsChangedUnderThePassOfAnOlderIncarnation() {
        Monitor web = down("web");
        Claimed taken =
                bench.agenda.take(bench.partition, "web", RedisOutcomes.LEASE).orElseThrow();
        Outages untold = bench.outages.of(bench.partition, "web");
        ReadyPartition.open(bench.redis, bench.partition, 2);

        for (Runnable change : List.<Runnable>of(
                () -> bench.record(web, taken, Outcome.passed(Duration.ZERO), false),
                () -> bench.places.place(List.of(new Place(bench.definition(web), Due.now(), false))),
                () -> bench.places.remove(List.of("web")),
                () -> bench.places.cover(bench.partition, List.of(web), true),
                () -> bench.places.revive(
                        bench.partition,
                        bench.passes.of(bench.partition),
                        List.of(new Known(new Place(bench.definition(web), Due.now(), false), Map.of(), Map.of()))),
                () -> bench.outages.take(bench.partition, Duration.ofSeconds(5)),
                () -> bench.outages.recall(bench.partition, "web", Map.of("wanted", "1")),
                () -> bench.outages.settled(bench.partition, "web", untold, OptionalLong.of(1)),
                () -> new RedisPings(bench.redis, bench.passes).begun(bench.partition, web))) {
            assertThatThrownBy(change::run).isInstanceOf(RebuildingException.class);
        }
    }

    /** A monitor that failed twice, which is its threshold; PostgreSQL has not heard of it. */
    private Monitor down(String id) {
        Monitor monitor = bench.placed(id, Bench.MINUTELY);
        bench.failsForGood(monitor);
        bench.failsForGood(monitor);
        return monitor;
    }

    private static String ms(Instant at) {
        return Long.toString(at.toEpochMilli());
    }
}
