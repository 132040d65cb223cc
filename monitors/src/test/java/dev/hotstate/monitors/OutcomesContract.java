package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.core.Key;
import dev.hotstate.monitors.Live.Beat;
import dev.hotstate.monitors.check.Outcome;
import dev.hotstate.monitors.check.Outcome.Phases;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an outcome does to its monitor, on one Redis and on a cluster. */
abstract class OutcomesContract {
    private static final Phases NOWHERE = new Phases(null, null, null, null);

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
    void whileItIsDownEachFailureCountsWithoutRetries() {
        Monitor web = bench.down("web");

        Recorded next = bench.fails(web);

        assertThat(next.failures()).isEqualTo(3);
        assertThat(bench.look(web).retries()).isZero();
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
    void theBarKeepsTheLastThirtyOutcomesWithTheirTimes() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        for (int i = 0; i < 75; i++) {
            bench.record(web, Outcome.passed(Duration.ofMillis(i)));
            bench.clock.advance(Duration.ofSeconds(60));
        }
        bench.failsForGood(web);
        Instant last = bench.clock.instant();

        List<Beat> beats = bench.look(web).beats();

        assertThat(beats).hasSize(30);
        assertThat(beats.getLast()).isEqualTo(new Beat(last, State.DEGRADED, 40));
        assertThat(beats.get(28)).isEqualTo(new Beat(last.minusSeconds(60), State.UP, 74));
        assertThat(beats.getFirst().at()).isEqualTo(last.minusSeconds(29 * 60));
    }

    @Test
    void theTimesOfABarDoNotDriftWhenOutcomesAreNotWholeSecondsApart() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        for (int i = 0; i < 30; i++) {
            bench.clock.advance(Duration.ofMillis(59_900));
            bench.record(web, Outcome.passed(Duration.ofMillis(i)));
        }

        Instant first = bench.look(web).beats().getFirst().at();

        assertThat(first).isCloseTo(bench.clock.instant().minusMillis(29 * 59_900), within(1, ChronoUnit.SECONDS));
    }

    @Test
    void theBarOfWhatIsSeldomCheckedHasItsTimesToo() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.record(web, Outcome.passed(Duration.ofMillis(1)));
        bench.clock.advance(Duration.ofHours(24));
        bench.record(web, Outcome.passed(Duration.ofMillis(2)));
        bench.clock.advance(Duration.ofDays(31));
        bench.record(web, Outcome.passed(Duration.ofMillis(3)));
        Instant last = bench.clock.instant();

        assertThat(bench.look(web).beats())
                .containsExactly(
                        new Beat(last.minus(Duration.ofDays(32)), State.UP, 1),
                        new Beat(last.minus(Duration.ofDays(31)), State.UP, 2),
                        new Beat(last, State.UP, 3));
    }

    @Test
    void whatAnOutcomeDoesNotTellIsNotShownFromTheOneBefore() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.record(
                web, new Outcome(true, 200, Duration.ofMillis(9), null, false, new Phases(1.0, 2.0, 3.0, 4.0), 42));
        bench.clock.advance(Duration.ofSeconds(60));

        bench.record(web, new Outcome(true, null, Duration.ofMillis(9), null, false, NOWHERE, null));

        Live live = bench.look(web);
        assertThat(live.statusCode()).isNull();
        assertThat(live.certificateDaysLeft()).isNull();
        assertThat(live.phases()).isEqualTo(NOWHERE);
        assertThat(live.lastOkAt()).isEqualTo(bench.clock.instant());
    }

    @Test
    void aFailureLeavesTheTimeOfTheLastSuccess() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.passes(web);
        bench.clock.advance(Duration.ofSeconds(60));

        bench.failsForGood(web);
        bench.clock.advance(Duration.ofSeconds(60));
        bench.failsForGood(web);

        assertThat(bench.look(web).lastOkAt()).isEqualTo(Bench.NOON);
        assertThat(bench.look(web).error()).isEqualTo("certificate expired");
    }

    @Test
    void aCheckThatTookLongerThanItsIntervalComesInItsNextTurn() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Claimed slow = bench.claim();
        Instant first = web.turnAfter(Bench.NOON);
        bench.clock.set(first.plusSeconds(61));
        bench.agenda.extend(slow.claims(), RedisOutcomes.LEASE);

        Recorded recorded = bench.record(web, slow, Outcome.passed(Duration.ofMillis(5)), false)
                .orElseThrow();

        assertThat(recorded.nextRun()).isEqualTo(first.plusSeconds(120));
    }

    @Test
    void whatIsKeptOfAnOutcomeHasALifetimeThatItsFollowersRenew() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        List<Key> keys = List.of(
                MonitorKeys.of(MonitorKeys.STATUS, bench.partition, "web"),
                MonitorKeys.of(MonitorKeys.BEATS, bench.partition, "web"));
        bench.passes(web);
        assertThat(lifetimes(keys)).allMatch(ms -> ms > Duration.ofHours(23).toMillis());

        keys.forEach(key -> bench.redis.write(key, (commands, name) -> commands.pexpire(name, 3_600_000)));
        bench.clock.advance(Duration.ofHours(5));
        bench.passes(web);
        assertThat(lifetimes(keys)).allMatch(ms -> ms <= 3_600_000, "three quarters of a day are left");

        bench.clock.advance(Duration.ofHours(2));
        bench.passes(web);
        assertThat(lifetimes(keys)).allMatch(ms -> ms > Duration.ofHours(23).toMillis());
    }

    @Test
    void outcomesThatTravelTogetherAreEachRecordedForThemselves() throws Exception {
        List<Monitor> monitors = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            monitors.add(bench.placed("web-" + i, Bench.MINUTELY));
        }
        Key broken = MonitorKeys.of(MonitorKeys.STATUS, bench.partition, "web-7");
        bench.redis.write(broken, (commands, name) -> commands.set(name, "no hash"));
        List<Claimed> claims = monitors.stream()
                .map(monitor -> bench.agenda
                        .take(bench.partition, monitor.id(), RedisOutcomes.LEASE)
                        .orElseThrow())
                .toList();
        bench.agenda.take(bench.partition, "web-9", RedisOutcomes.LEASE);

        List<Future<Optional<Recorded>>> recorded = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < monitors.size(); i++) {
                Monitor monitor = monitors.get(i);
                Claimed claimed = claims.get(i);
                Outcome outcome = i % 2 == 0
                        ? Outcome.passed(Duration.ofMillis(i))
                        : Outcome.failed(Duration.ofMillis(i), "refused " + i, false);
                recorded.add(threads.submit(() -> bench.record(monitor, claimed, outcome, false)));
            }
        }

        for (int i = 0; i < monitors.size(); i++) {
            if (i == 7) {
                assertThat(recorded.get(i).exceptionNow())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("web-7")
                        .hasMessageContaining("WRONGTYPE");
            } else if (i == 9) {
                assertThat(recorded.get(i).get()).isEmpty();
            } else {
                Live live = bench.look(monitors.get(i));
                assertThat(recorded.get(i).get().orElseThrow().state())
                        .isEqualTo(i % 2 == 0 ? State.UP : State.DEGRADED);
                assertThat(live.latencyMs()).isEqualTo(i);
                assertThat(live.error()).isEqualTo(i % 2 == 0 ? null : "refused " + i);
            }
        }
    }

    private List<Long> lifetimes(List<Key> keys) {
        return bench.redis.readAll(keys, (commands, name) -> commands.pttl(name));
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
}
