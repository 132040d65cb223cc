package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.core.Due;
import dev.hotstate.core.ReadyPartition;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.monitors.RedisPlaces.Known;
import dev.hotstate.monitors.RedisPlaces.Place;
import dev.hotstate.monitors.check.Outcome;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a definition and a window do to a monitor in Redis, and how it is found there; on one Redis and on a cluster. */
abstract class PlacesContract {
    private final RedisTarget target;
    private Bench bench;

    PlacesContract(RedisTarget target) {
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
        Monitor web = bench.down("web");
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
    void maintenanceThatBeginsAndEndsMovesAMonitorInTheIndexWithoutACheck() {
        Monitor web = bench.down("web");
        Monitor fresh = bench.placed("fresh", Bench.MINUTELY);

        bench.places.cover(bench.partition, List.of(web, fresh), true);
        assertThat(bench.counts()).containsEntry(State.MAINTENANCE, 2L).containsEntry(State.DOWN, 0L);

        bench.places.cover(bench.partition, List.of(web, fresh), false);
        assertThat(bench.counts()).containsEntry(State.DOWN, 1L).containsEntry(State.PENDING, 1L);
    }

    @Test
    void whatFailedUnderMaintenanceIsNotUpWhenThatEndsAndIsCheckedAtOnce() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.passes(web);
        bench.record(web, Outcome.failed(Duration.ZERO, "refused", true), true);
        assertThat(bench.claim().claims()).isEmpty();

        bench.places.cover(bench.partition, List.of(web), false);

        assertThat(bench.look(web).state()).isEqualTo(State.DEGRADED);
        assertThat(bench.counts()).containsEntry(State.DEGRADED, 1L).containsEntry(State.UP, 0L);
        assertThat(bench.claim().claims()).extracting(Claim::id).containsExactly("web");
    }

    @Test
    void whatWasWellUnderMaintenanceIsCheckedInItsTurn() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.record(web, Outcome.passed(Duration.ZERO), true);

        bench.places.cover(bench.partition, List.of(web), false);

        assertThat(bench.look(web).state()).isEqualTo(State.UP);
        assertThat(bench.claim().claims()).isEmpty();
    }

    @Test
    void aJobThatFailedUnderMaintenanceHasItsTimeToReport() {
        Monitor job = Some.monitor("job", "'type':'push','interval':'1h'");
        bench.places.place(List.of(new Place(bench.definition(job), Due.in(Duration.ofHours(1)), false)));
        bench.record(job, Outcome.failed(Duration.ZERO, "the job reported a failure", false), true);

        bench.places.cover(bench.partition, List.of(job), false);

        assertThat(bench.look(job).state()).isEqualTo(State.DEGRADED);
        assertThat(bench.claim().claims()).isEmpty();
    }

    @Test
    void whatIsBeingCheckedWhenMaintenanceEndsStaysWithItsHolder() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.record(web, Outcome.failed(Duration.ZERO, "refused", true), true);
        Claimed taken =
                bench.agenda.take(bench.partition, "web", RedisOutcomes.LEASE).orElseThrow();

        bench.places.cover(bench.partition, List.of(web), false);

        assertThat(bench.claim().claims()).isEmpty();
        assertThat(bench.record(web, taken, Outcome.passed(Duration.ZERO), false))
                .isPresent();
        assertThat(bench.look(web).state()).isEqualTo(State.UP);
    }

    @Test
    void aChangeOfWhatFailedAndDidNotCountDoesNotShowItAsUp() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.fails(web);

        bench.places.place(List.of(new Place(bench.definition(web), Due.in(Duration.ofMinutes(1)), false)));

        assertThat(bench.look(web).state()).isEqualTo(State.DEGRADED);
        assertThat(bench.counts()).containsEntry(State.DEGRADED, 1L);
    }

    @Test
    void listsByStateAndLatencyNeedNoLookAtEachMonitor() {
        Monitor up = bench.placed("up", Bench.MINUTELY);
        Monitor slow = bench.placed("slow", Bench.MINUTELY);
        bench.passes(up);
        bench.record(slow, Outcome.passed(Duration.ofMillis(900)));
        Monitor degraded = bench.placed("degraded", Bench.MINUTELY);
        bench.fails(degraded);
        bench.down("down");
        bench.placed("pending", Bench.MINUTELY);

        assertThat(bench.live.in(State.UP)).containsExactlyInAnyOrder("up", "slow");
        assertThat(bench.live.in(State.DEGRADED)).containsExactly("degraded");
        assertThat(bench.live.in(State.DOWN)).containsExactly("down");
        assertThat(bench.live.in(State.PENDING)).containsExactly("pending");
        assertThat(bench.live.latencies()).containsEntry("slow", 900L).containsEntry("up", 120L);
    }

    @Test
    void aDeletedMonitorLeavesNoKey() {
        Monitor web = bench.down("web");
        bench.passes(web);
        bench.passes(web);
        bench.fails(web);

        bench.places.remove(List.of(bench.definition(web).asDeleted()));

        assertThat(bench.look(web).checkedAt()).isNull();
        assertThat(bench.look(web).beats()).isEmpty();
        assertThat(bench.outages.of(bench.partition, "web").none()).isTrue();
        assertThat(bench.claim().claims()).isEmpty();
        assertThat(bench.counts().values()).containsOnly(0L);
        assertThat(bench.live.latencies()).isEmpty();
    }

    @Test
    void onlyWhatRedisDoesNotHaveIsPlacedOrRemoved() {
        Definition web = bench.definition(bench.placed("web", Bench.MINUTELY));
        Definition fresh = bench.definition(Bench.monitor("fresh", Bench.MINUTELY));
        Definition gone = bench.definition(bench.placed("gone", Bench.MINUTELY)).asDeleted();
        Definition neverSeen =
                bench.definition(Bench.monitor("never-seen", Bench.MINUTELY)).asDeleted();

        assertThat(bench.places.unplaced(List.of(web, fresh, gone, neverSeen))).containsExactly(web, fresh, gone);
        bench.places.place(List.of(new Place(web, Due.now(), false)));
        assertThat(bench.places.unplaced(List.of(web, fresh, gone, neverSeen))).containsExactly(fresh, gone);
    }

    @Test
    void whoHearsLateOfADeletionDoesNotRemoveWhatWasMadeAnewUnderTheId() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Definition deleted = bench.definition(web).asDeleted();
        Definition anew = bench.definition(web, deleted.version() + 1);
        bench.places.place(List.of(new Place(anew, Due.now(), false)));

        bench.places.remove(List.of(deleted));

        assertThat(bench.live.versions(bench.partition, List.of("web"))).containsExactly(anew.version());
        assertThat(bench.claim().claims()).hasSize(1);
        assertThat(bench.counts()).containsEntry(State.PENDING, 1L);
    }

    @Test
    void whatIsMadeAnewUnderAnIdBeginsWithNothingAlsoWhereTheDeletionWasNeverHeardOf() {
        Monitor web = bench.down("web");
        long deletion = bench.definition(web).version();
        Definition anew = bench.definition(web, deletion + 1);

        bench.places.place(List.of(new Place(anew, Due.now(), false)));

        assertThat(bench.look(web).state()).isEqualTo(State.PENDING);
        assertThat(bench.look(web).failureCount()).isZero();
        assertThat(bench.look(web).beats()).isEmpty();
        assertThat(bench.outages.of(bench.partition, "web").none()).isTrue();
        assertThat(bench.counts()).containsEntry(State.PENDING, 1L).containsEntry(State.DOWN, 0L);
        assertThat(bench.live.latencies()).isEmpty();
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
        Monitor web = bench.down("web");
        Claimed taken =
                bench.agenda.take(bench.partition, "web", RedisOutcomes.LEASE).orElseThrow();
        Outages untold = bench.outages.of(bench.partition, "web");
        ReadyPartition.open(bench.redis, bench.partition, 2);

        for (Runnable change : List.<Runnable>of(
                () -> bench.record(web, taken, Outcome.passed(Duration.ZERO), false),
                () -> bench.places.place(List.of(new Place(bench.definition(web), Due.now(), false))),
                () -> bench.places.remove(List.of(bench.definition(web).asDeleted())),
                () -> bench.places.cover(bench.partition, List.of(web), true),
                () -> bench.places.revive(
                        bench.partition,
                        bench.passes.of(bench.partition),
                        List.of(new Known(new Place(bench.definition(web), Due.now(), false), Map.of(), Map.of()))),
                () -> bench.outages.take(bench.partition, Duration.ofSeconds(5)),
                () -> bench.outages.recall(bench.partition, "web", Map.of("wanted", "1")),
                () -> bench.outages.forget(bench.partition, "web", 1),
                () -> bench.outages.settled(bench.partition, "web", untold, OptionalLong.of(1)),
                () -> new RedisPings(bench.redis, bench.passes).begun(bench.partition, web))) {
            assertThatThrownBy(change::run).isInstanceOf(RebuildingException.class);
        }
    }
}
