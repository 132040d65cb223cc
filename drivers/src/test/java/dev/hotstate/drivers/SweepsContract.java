package dev.hotstate.drivers;

import static dev.hotstate.drivers.RegionBench.HEARTBEAT;
import static dev.hotstate.drivers.RegionBench.NOON;
import static dev.hotstate.drivers.RegionBench.busy;
import static dev.hotstate.drivers.RegionBench.chosen;
import static dev.hotstate.drivers.RegionBench.fix;
import static dev.hotstate.drivers.RegionBench.free;
import static dev.hotstate.drivers.RegionBench.tagged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.drivers.RedisSweeps.Lapse;
import dev.hotstate.drivers.RedisSweeps.Move;
import dev.hotstate.drivers.RedisSweeps.Silent;
import dev.hotstate.drivers.RedisSweeps.Swept;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What runs out: heartbeats, leases, tombstones, and drivers that nobody hears of. */
abstract class SweepsContract {
    private static final Duration WEEK = Duration.ofDays(7);

    private final RedisTarget target;
    private RegionBench bench;

    SweepsContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void open() {
        bench = new RegionBench(target);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aDriverIsOfflineWhenItsHeartbeatEndsAndNotBefore() {
        bench.update(fix("d1"));
        bench.settle(tagged(free("d1", 3), "van"));
        bench.clock.advance(HEARTBEAT.minusMillis(1));
        assertThat(bench.sweeps.sweep(bench.region, 10).silent()).isEmpty();

        bench.clock.advance(Duration.ofMillis(1));
        Swept swept = bench.sweeps.sweep(bench.region, 10);

        assertThat(swept).isEqualTo(new Swept(NOON.plus(HEARTBEAT), 1, List.of(new Silent("d1", 3))));
        assertThat(bench.line("d1").status()).isEqualTo(Status.OFFLINE);
        assertThat(bench.line("d1").since()).isEqualTo(NOON.plus(HEARTBEAT));
        assertThat(bench.found()).isEmpty();
        assertThat(bench.foundBy("van")).isEmpty();
        assertThat(bench.heartbeatEnds("d1")).isNull();
        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(0, 0, 1, 0));
        assertThat(bench.sweeps.sweep(bench.region, 10).ended()).isZero();
    }

    @Test
    void onlyTheAvailableAreSweptAndAReservedOneStaysReserved() {
        bench.update(fix("busy"));
        bench.update(fix("held"));
        bench.settle(busy("busy", 1));
        bench.settle(bench.reserved("held", 1));
        bench.clock.advance(HEARTBEAT.multipliedBy(2));

        assertThat(bench.sweeps.sweep(bench.region, 10)).isEqualTo(new Swept(bench.clock.instant(), 1, List.of()));

        assertThat(bench.line("busy").status()).isEqualTo(Status.BUSY);
        assertThat(bench.line("held").isReserved()).isTrue();
        assertThat(bench.heartbeatEnds("held")).isNull();
    }

    @Test
    void aSweepTakesTheLongestSilentFirstAndNoMoreThanItMay() {
        for (int i = 0; i < 5; i++) {
            bench.update(fix("d" + i));
            bench.clock.advance(Duration.ofMillis(1));
        }
        bench.clock.advance(HEARTBEAT);

        Swept first = bench.sweeps.sweep(bench.region, 3);

        assertThat(first.ended()).isEqualTo(3);
        assertThat(first.silent()).extracting(Silent::id).containsExactly("d0", "d1", "d2");
        assertThat(bench.sweeps.sweep(bench.region, 3).silent())
                .extracting(Silent::id)
                .containsExactly("d3", "d4");
    }

    @Test
    void aWholeBatchMayHaveAsManyTagsAsThereCanBe() {
        List<CellFix> fixes = new ArrayList<>();
        List<Truth> truths = new ArrayList<>();
        for (int i = 0; i < RedisRegion.MAX_BATCH; i++) {
            String[] tags = new String[20];
            for (int j = 0; j < tags.length; j++) {
                tags[j] = "t" + i + "-" + j;
            }
            fixes.add(fix("d" + i));
            truths.add(tagged(free("d" + i, 1), tags));
        }
        bench.fixes.update(bench.region, fixes, true);
        bench.truth.settle(bench.region, truths);
        bench.fixes.update(bench.region, fixes, false);
        assertThat(bench.foundBy("t199-19")).containsExactly("d199");
        bench.clock.advance(HEARTBEAT);

        assertThat(bench.sweeps.sweep(bench.region, RedisRegion.MAX_BATCH).silent())
                .hasSize(RedisRegion.MAX_BATCH);

        assertThat(target.keys()).noneMatch(key -> key.contains(":tagged:"));
    }

    @Test
    void afterASilenceOfOursNobodyIsSweptForAHeartbeat() {
        bench.update(fix("d1"));
        bench.clock.advance(Duration.ofMinutes(5));
        target.commands()
                .hset(
                        "dev:hotstate:{blr}:incarnation",
                        "resumed",
                        Long.toString(TimeUnit.MILLISECONDS.toMicros(
                                bench.clock.instant().toEpochMilli())));

        assertThat(bench.sweeps.sweep(bench.region, 10).silent()).isEmpty();
        bench.clock.advance(HEARTBEAT.minusMillis(1));
        assertThat(bench.sweeps.sweep(bench.region, 10).silent()).isEmpty();
        bench.clock.advance(Duration.ofMillis(1));

        assertThat(bench.sweeps.sweep(bench.region, 10).silent()).hasSize(1);
    }

    @Test
    void oneInstanceSweepsARegionUntilItsLeaseEnds() {
        RedisSweeps second = new RedisSweeps(bench.redis, bench.passes, HEARTBEAT);
        bench.update(fix("d1"));
        assertThat(bench.sweeps.sweep(bench.region, 10).ended()).isZero();
        bench.clock.advance(HEARTBEAT);
        assertThat(bench.sweeps.sweep(bench.region, 10).silent()).hasSize(1);
        bench.update(fix("d2"));
        bench.clock.advance(HEARTBEAT.minusMillis(1));
        bench.sweeps.sweep(bench.region, 10);
        bench.clock.advance(RedisSweeps.LEASE.minusMillis(1));

        assertThat(second.sweep(bench.region, 10).ended()).isZero();
        assertThat(second.sweep(bench.other, 10).ended()).isZero();
        bench.clock.advance(Duration.ofMillis(1));
        assertThat(second.sweep(bench.region, 10).silent())
                .extracting(Silent::id)
                .containsExactly("d2");
        bench.update(fix("d1"));
        bench.clock.advance(HEARTBEAT);
        assertThat(second.sweep(bench.region, 10).silent())
                .extracting(Silent::id)
                .containsExactly("d1");
        assertThat(bench.sweeps.sweep(bench.region, 10).ended()).isZero();
    }

    @Test
    void aRegionIsRazedOnceNobodyIsInItNorOnTheWayFromIt() {
        bench.update(fix("d1"));
        assertThat(bench.sweeps.raze(bench.region)).isFalse();
        bench.fixes.leave(bench.region, fix("d1"), "mys");
        assertThat(bench.sweeps.raze(bench.region)).isFalse();
        bench.sweeps.bury(bench.region, bench.sweeps.moves(bench.region, NOON, NOON.plusSeconds(1), 10));

        assertThat(bench.sweeps.raze(bench.region)).isTrue();

        assertThat(target.keys()).noneMatch(key -> key.startsWith("dev:hotstate:{blr}:drivers:"));
    }

    @Test
    void leasesThatHaveEndedAreTold() {
        bench.update(fix("d1"));
        bench.update(fix("d2"));
        bench.settle(bench.reserved("d1", 1));
        bench.clock.advance(Duration.ofSeconds(1));
        bench.settle(bench.reserved("d2", 1));
        assertThat(bench.sweeps.lapsed(bench.region, 10)).isEmpty();

        bench.clock.advance(Duration.ofSeconds(29));

        assertThat(bench.sweeps.lapsed(bench.region, 10))
                .containsExactly(new Lapse("d1", new Held("r-d1", "1-7", NOON.plusSeconds(30))));
    }

    @Test
    void tombstonesAreListedByWhenTheyWereMadeAndGoWhenTheyMay() {
        bench.update(fix("d1"));
        bench.update(fix("d2"));
        bench.fixes.leave(bench.region, fix("d1"), "mys");
        Instant first = bench.clock.instant();
        bench.clock.advance(Duration.ofSeconds(2));
        bench.fixes.leave(bench.region, fix("d2"), "mys");

        List<Move> moves = bench.sweeps.moves(bench.region, first, first.plusSeconds(2), 10);
        assertThat(moves).extracting(Move::id).containsExactly("d1");
        assertThat(moves.getFirst().leftAt()).isEqualTo(first);
        assertThat(moves.getFirst().leaving().region()).isEqualTo("mys");
        assertThat(moves.getFirst().leaving().profile()).isEmpty();

        assertThat(bench.sweeps.bury(bench.region, moves)).isEqualTo(1);
        assertThat(bench.sweeps.moves(bench.region, Instant.EPOCH, first.plusSeconds(9), 10))
                .extracting(Move::id)
                .containsExactly("d2");
        assertThat(bench.fixes.update(bench.region, List.of(fix("d1")), false)).containsExactly(new FixReply.Absent());
    }

    @Test
    void theTombstoneOfALaterMoveStays() {
        bench.update(fix("d1"));
        bench.fixes.leave(bench.region, fix("d1"), "mys");
        List<Move> old = bench.sweeps.moves(bench.region, NOON, NOON.plusSeconds(1), 10);
        bench.fixes.enter(bench.region, bench.pass(), "d1", Leaving.fromNowhere("blr", 3), fix("d1"));
        bench.fixes.leave(bench.region, fix("d1"), "mys");

        assertThat(bench.sweeps.bury(bench.region, old)).isZero();
        assertThat(bench.sweeps
                        .moves(bench.region, NOON, NOON.plusSeconds(1), 10)
                        .getFirst()
                        .leaving()
                        .epoch())
                .isEqualTo(4);
    }

    @Test
    void theLongSilentAreForgottenButNothingThatSomebodyDecided() {
        for (String id : List.of("free", "busy", "chosen", "held", "late")) {
            bench.update(fix(id));
        }
        bench.settle(tagged(free("free", 1), "van"));
        bench.settle(busy("busy", 1));
        bench.settle(chosen("chosen", 1));
        bench.settle(bench.reserved("held", 1));
        bench.clock.advance(Duration.ofMinutes(10));
        bench.update(fix("late"));
        bench.clock.advance(HEARTBEAT);
        bench.sweeps.sweep(bench.region, 10);
        bench.clock.set(NOON.plus(WEEK).plus(Duration.ofMinutes(1)));

        List<String> forgotten =
                bench.sweeps.forget(bench.region, WEEK, List.of("free", "busy", "chosen", "held", "late", "unknown"));

        assertThat(forgotten).containsExactly("free", "unknown");
        assertThat(bench.isIn(bench.region, "free")).isFalse();
        assertThat(target.commands().hkeys(bench.key("status")))
                .containsExactlyInAnyOrder("busy", "chosen", "held", "late");
        assertThat(target.commands().exists(bench.key("profile"))).isZero();
        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(1, 1, 2, 1));
    }

    @Test
    void whoHoldsAnOldPassSweepsNothing() {
        bench.update(fix("d1"));
        bench.clock.advance(HEARTBEAT);
        RedisSweeps late = new RedisSweeps(bench.redis, Passes.always(new Pass.Ready(2)), HEARTBEAT);
        Move move = new Move("d1", NOON, Leaving.fromNowhere("mys", 2));

        assertThatThrownBy(() -> late.sweep(bench.region, 1)).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> late.lapsed(bench.region, 1)).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> late.moves(bench.region, NOON, NOON, 1)).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> late.bury(bench.region, List.of(move))).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> late.forget(bench.region, WEEK, List.of("d1")))
                .isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> late.raze(bench.region)).isInstanceOf(RebuildingException.class);
        RedisLook look = new RedisLook(bench.redis, Passes.always(new Pass.Ready(2)));
        assertThatThrownBy(() -> look.counts(bench.region)).isInstanceOf(RebuildingException.class);
        assertThat(bench.line("d1").status()).isEqualTo(Status.AVAILABLE);
    }
}
