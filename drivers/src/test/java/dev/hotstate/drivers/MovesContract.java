package dev.hotstate.drivers;

import static dev.hotstate.drivers.RegionBench.HEARTBEAT;
import static dev.hotstate.drivers.RegionBench.NOON;
import static dev.hotstate.drivers.RegionBench.busy;
import static dev.hotstate.drivers.RegionBench.chosen;
import static dev.hotstate.drivers.RegionBench.fix;
import static dev.hotstate.drivers.RegionBench.fixAt;
import static dev.hotstate.drivers.RegionBench.free;
import static dev.hotstate.drivers.RegionBench.tagged;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a driver goes from region to region: it leaves with all it is, and enters once. */
abstract class MovesContract {
    private final RedisTarget target;
    private RegionBench bench;

    MovesContract(RedisTarget target) {
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
    void aDriverTakesAllItIsAlong() {
        bench.update(fix("d1", 4L, null));
        bench.settle(tagged(free("d1", 6), "van"));
        bench.clock.advance(Duration.ofSeconds(9));
        CellFix there = new CellFix("d1", Cell.of(12.3, 76.6), 5L, null, 10.0, 20.0);

        Leaving leaving = leave(there);
        Arrival arrival = enter(leaving, there);

        assertThat(leaving.epoch()).isEqualTo(2);
        assertThat(arrival)
                .isEqualTo(new Arrival.Entered(new FixReply.Accepted(
                        Status.AVAILABLE, 2, 6, NOON.plusSeconds(9), NOON.plusSeconds(9), NOON, false, false)));
        assertThat(target.keys()).noneMatch(key -> key.startsWith(bench.key("geo")) || key.equals(bench.key("fix")));
        LiveDriver arrived = bench.look.drivers(bench.other, List.of("d1")).get("d1");
        assertThat(arrived.line())
                .isEqualTo(new DriverLine(
                        'A', NOON.plusSeconds(9), NOON, 2, 6, 5L, NOON.plusSeconds(9), there.cell(), 10.0, 20.0));
        assertThat(arrived.tags()).containsExactly("van");
        assertThat(arrived.rating()).isEqualTo(4.5);
        assertThat(target.commands().zrange(RegionBench.key(bench.other, "tagged:van"), 0, -1))
                .containsExactly("d1");
        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(0, 0, 0, 0));
        assertThat(bench.look.counts(bench.other).counts()).isEqualTo(new Summary.Counts(1, 0, 0, 0));
    }

    @Test
    void aLateFixToTheOldRegionIsRefusedThere() {
        bench.update(fix("d1"));
        leave(fix("d1"));

        assertThat(bench.fixes.update(bench.region, List.of(fix("d1")), true))
                .containsExactly(new FixReply.Moved("mys", 2));
        assertThat(bench.isIn(bench.region, "d1")).isFalse();
    }

    @Test
    void aSecondLeavingTellsOfTheFirst() {
        bench.update(fix("d1"));
        Leaving first = leave(fix("d1"));

        assertThat(bench.fixes.leave(bench.region, fix("d1"), "maa")).isEqualTo(new Parting.Left(first));
    }

    @Test
    void aDriverLeavesByANewerFixOnly() {
        bench.update(fix("d1", 4L, null));

        assertThat(bench.fixes.leave(bench.region, fix("d1", 4L, null), "mys"))
                .isEqualTo(new Parting.Stays(new FixReply.Ignored(Status.AVAILABLE)));
        assertThat(bench.fixes.leave(bench.region, fix("d1", 5L, NOON.plusSeconds(61)), "mys"))
                .isEqualTo(new Parting.Stays(FixReply.Future.at(NOON)));
        assertThat(bench.fixes.leave(bench.region, fix("d1", 3L, NOON.plusSeconds(61)), "mys"))
                .as("though it is not newer either")
                .isEqualTo(new Parting.Stays(FixReply.Future.at(NOON)));
        assertThat(bench.fixes.leave(bench.region, fix("d2"), "mys"))
                .isEqualTo(new Parting.Stays(new FixReply.Absent()));
        assertThat(bench.isIn(bench.region, "d1")).isTrue();
    }

    @Test
    void whoIsBusyOrReservedStaysWhereItIsHeldAndMoves() {
        bench.update(fix("busy"));
        bench.update(fix("held"));
        bench.settle(busy("busy", 1));
        bench.settle(bench.reserved("held", 1));
        bench.clock.advance(Duration.ofSeconds(3));

        Parting busy = bench.fixes.leave(bench.region, fixAt("busy", 12.3, 76.6), "mys");
        Parting held = bench.fixes.leave(bench.region, fixAt("held", 12.3, 76.6), "mys");

        assertThat(busy)
                .isEqualTo(new Parting.Stays(new FixReply.Accepted(
                        Status.BUSY, 1, 1, NOON.plusSeconds(3), NOON.plusSeconds(3), NOON, false, false)));
        assertThat(held)
                .isEqualTo(new Parting.Stays(new FixReply.Accepted(
                        Status.AVAILABLE, 1, 1, NOON.plusSeconds(3), NOON.plusSeconds(3), NOON, true, false)));
        assertThat(bench.line("busy").cell()).isEqualTo(Cell.of(12.3, 76.6));
        assertThat(bench.line("held").cell()).isEqualTo(Cell.of(12.3, 76.6));
        assertThat(bench.found()).isEmpty();
        assertThat(bench.heartbeatEnds("busy")).isNull();
        assertThat(bench.heartbeatEnds("held"))
                .isEqualTo(NOON.plusSeconds(3).plus(HEARTBEAT).toEpochMilli());
    }

    @Test
    void aChosenOfflineIsKeptOnTheWay() {
        bench.update(fix("d1"));
        bench.settle(chosen("d1", 1));

        enter(leave(fix("d1")), fix("d1"));

        assertThat(bench.look
                        .drivers(bench.other, List.of("d1"))
                        .get("d1")
                        .line()
                        .state())
                .isEqualTo('C');
        assertThat(bench.look.counts(bench.other).counts()).isEqualTo(new Summary.Counts(0, 0, 1, 0));
    }

    @Test
    void aMoveThatWasCutShortIsTakenUpByWhoeverFindsIt() {
        bench.update(fix("d1"));
        Leaving cut = leave(fix("d1"));
        bench.clock.advance(Duration.ofSeconds(1));

        assertThat(enter(cut, null)).isEqualTo(new Arrival.Entered(new FixReply.Ignored(Status.AVAILABLE)));
        assertThat(enter(cut, fix("d1"))).isEqualTo(new Arrival.Here(2));

        assertThat(target.commands().zscore(RegionBench.key(bench.other, "online"), "d1"))
                .isEqualTo(NOON.plus(HEARTBEAT).toEpochMilli());
        assertThat(target.commands().zcard(RegionBench.key(bench.other, "geo"))).isEqualTo(1);
    }

    @Test
    void whoEntersWithAFixThatIsNotNewerIsInAllTheSame() {
        bench.update(fix("d1", 7L, null));
        Leaving cut = leave(fix("d1", 8L, null));

        assertThat(enter(cut, fix("d1", 6L, null)))
                .isEqualTo(new Arrival.Entered(new FixReply.Ignored(Status.AVAILABLE)));
        assertThat(bench.isIn(bench.other, "d1")).isTrue();
    }

    @Test
    void whoEntersWithAFixFromTheFutureIsInWithoutItUnlessItIsNew() {
        CellFix ahead = fix("d1", null, NOON.plusSeconds(61));
        bench.update(fix("d1"));

        assertThat(enter(leave(fix("d1")), ahead)).isEqualTo(new Arrival.Entered(FixReply.Future.at(NOON)));
        assertThat(bench.isIn(bench.other, "d1")).isTrue();
        assertThat(bench.fixes.enter(
                        bench.other,
                        bench.pass(),
                        "d2",
                        Leaving.fromNowhere("mys", 1),
                        fix("d2", null, NOON.plusSeconds(61))))
                .isEqualTo(new Arrival.Refused(FixReply.Future.at(NOON)));
        assertThat(bench.isIn(bench.other, "d2")).isFalse();
    }

    @Test
    void aFixFromTheFutureIsRefusedAlsoWhereItsSeqIsOld() {
        bench.update(fix("d1", 7L, null));

        assertThat(enter(leave(fix("d1", 8L, null)), fix("d1", 6L, NOON.plusSeconds(61))))
                .isEqualTo(new Arrival.Entered(FixReply.Future.at(NOON)));
    }

    @Test
    void whoIsSentOutWithoutAFixIsNotHeardOfAndWhoIsHeldStays() {
        for (String id : List.of("free", "busy", "held")) {
            bench.update(fix(id, 7L, null));
        }
        bench.settle(busy("busy", 1));
        bench.settle(bench.reserved("held", 1));
        DriverLine busy = bench.line("busy");
        DriverLine held = bench.line("held");
        bench.clock.advance(Duration.ofSeconds(3));

        assertThat(bench.fixes.sendOut(bench.region, "busy", "mys"))
                .isEqualTo(new Parting.Stays(new FixReply.Ignored(Status.BUSY)));
        assertThat(bench.fixes.sendOut(bench.region, "held", "mys"))
                .isEqualTo(new Parting.Stays(new FixReply.Ignored(Status.AVAILABLE)));
        assertThat(bench.line("busy")).isEqualTo(busy);
        assertThat(bench.line("held")).isEqualTo(held);
        assertThat(bench.look.counts(bench.region).updates()).isEqualTo(3);

        Leaving left = ((Parting.Left) bench.fixes.sendOut(bench.region, "free", "mys")).leaving();
        assertThat(DriverLine.parse(left.line()).seenAt()).isEqualTo(NOON);
        assertThat(bench.isIn(bench.region, "free")).isFalse();
    }

    @Test
    void anEntryThatComesTooLateIsRefusedByItsEpoch() {
        bench.update(fix("d1"));
        Leaving there = leave(fix("d1"));
        enter(there, fix("d1"));
        Parting.Left back = (Parting.Left) bench.fixes.leave(bench.other, fix("d1"), "blr");

        assertThat(enter(there, fix("d1"))).isEqualTo(new Arrival.LeftAgain(back.leaving()));
        Arrival returned = bench.fixes.enter(bench.region, bench.pass(), "d1", back.leaving(), fix("d1"));

        assertThat(returned).isInstanceOf(Arrival.Entered.class);
        assertThat(bench.line("d1").epoch()).isEqualTo(3);
        assertThat(bench.sweeps.moves(bench.region, NOON, NOON.plusSeconds(1), 9))
                .isEmpty();
        assertThat(bench.isIn(bench.other, "d1")).isFalse();
    }

    @Test
    void whatWasDecidedWhileADriverWasOnItsWayHoldsWhenItEnters() {
        bench.update(fix("d1", 4L, null));
        bench.settle(tagged(free("d1", 6), "van"));
        CellFix there = fix("d1", 5L, null);
        Leaving leaving = leave(there);
        Truth decided = new Truth("d1", 2, 7, Status.BUSY, false, false, NOON, null, RegionBench.PLAIN);
        bench.truth.settle(bench.other, List.of(decided));

        Arrival arrival = enter(leaving, there);

        assertThat(arrival).isInstanceOf(Arrival.Entered.class);
        LiveDriver arrived = bench.look.drivers(bench.other, List.of("d1")).get("d1");
        assertThat(arrived.line().state()).isEqualTo('B');
        assertThat(arrived.line().version()).isEqualTo(7);
        assertThat(arrived.line().seq()).isEqualTo(5);
        assertThat(arrived.tags()).isEmpty();
        assertThat(bench.look.counts(bench.other).counts()).isEqualTo(new Summary.Counts(0, 1, 0, 0));
    }

    @Test
    void whoWasMarkedAvailableOnItsWayLivesFromThenOn() {
        bench.update(fix("d1"));
        Leaving leaving = leave(fix("d1"));
        bench.clock.advance(Duration.ofSeconds(50));
        bench.truth.settle(
                bench.other,
                List.of(new Truth("d1", 2, 1, Status.AVAILABLE, false, true, NOON, null, RegionBench.PLAIN)));

        enter(leaving, null);

        assertThat(target.commands().zscore(RegionBench.key(bench.other, "online"), "d1"))
                .isEqualTo(NOON.plusSeconds(50).plus(HEARTBEAT).toEpochMilli());
        assertThat(target.commands().zcard(RegionBench.key(bench.other, "geo"))).isEqualTo(1);
    }

    @Test
    void anOlderDecisionThatOvertookTheDriverGivesWayToWhatItLeftWith() {
        bench.update(fix("d1"));
        bench.settle(tagged(busy("d1", 5), "van"));
        bench.settle(tagged(chosen("d1", 6), "van"));
        Leaving leaving = leave(fix("d1"));
        Truth old = new Truth("d1", 2, 5, Status.BUSY, false, false, NOON, null, RegionBench.PLAIN);
        bench.truth.settle(bench.other, List.of(old));

        enter(leaving, fix("d1"));

        LiveDriver arrived = bench.look.drivers(bench.other, List.of("d1")).get("d1");
        assertThat(arrived.line().state()).isEqualTo('C');
        assertThat(arrived.tags()).containsExactly("van");
        assertThat(bench.look.counts(bench.other).counts()).isEqualTo(new Summary.Counts(0, 0, 1, 0));
    }

    @Test
    void aNewDriverEntersByTheEpochItIsGiven() {
        Arrival arrival = bench.fixes.enter(bench.region, bench.pass(), "d1", Leaving.fromNowhere("blr", 4), fix("d1"));

        assertThat(arrival)
                .isEqualTo(new Arrival.Entered(
                        new FixReply.Accepted(Status.AVAILABLE, 4, 0, NOON, NOON, NOON, false, true)));
        assertThat(bench.found()).containsExactly("d1");
    }

    private Leaving leave(CellFix fix) {
        return ((Parting.Left) bench.fixes.leave(bench.region, fix, "mys")).leaving();
    }

    private Arrival enter(Leaving leaving, @Nullable CellFix fix) {
        return bench.fixes.enter(bench.other, bench.pass(), "d1", leaving, fix);
    }
}
