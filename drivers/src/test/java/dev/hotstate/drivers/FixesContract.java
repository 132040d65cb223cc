package dev.hotstate.drivers;

import static dev.hotstate.drivers.RegionBench.HEARTBEAT;
import static dev.hotstate.drivers.RegionBench.NOON;
import static dev.hotstate.drivers.RegionBench.fix;
import static dev.hotstate.drivers.RegionBench.fixAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.testkit.RedisTarget;
import io.lettuce.core.GeoCoordinates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a fix does to a driver, by what the driver is. */
abstract class FixesContract {
    private final RedisTarget target;
    private RegionBench bench;

    FixesContract(RedisTarget target) {
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
    void aNewDriverStandsUnderTheKeysThatTheDesignNames() {
        CellFix first = new CellFix("d1", Cell.of(12.9716, 77.5946), 3L, NOON, 90.0, 32.5);

        FixReply reply = bench.update(first);

        assertThat(reply).isEqualTo(new FixReply.Accepted(Status.AVAILABLE, 1, 0, NOON, NOON, NOON, false, true));
        GeoCoordinates there = target.commands().geopos(bench.key("geo"), "d1").getFirst();
        assertThat(there.getX().doubleValue()).isCloseTo(Cell.lon(first.cell()), within(1e-9));
        assertThat(there.getY().doubleValue()).isCloseTo(Cell.lat(first.cell()), within(1e-9));
        assertThat(target.commands().hgetall(bench.key("status"))).isEqualTo(Map.of("d1", "AVAILABLE"));
        assertThat(bench.heartbeatEnds("d1")).isEqualTo(NOON.plus(HEARTBEAT).toEpochMilli());
        assertThat(bench.line("d1"))
                .isEqualTo(new DriverLine('A', NOON, NOON, 1, 0, 3L, NOON, first.cell(), 90.0, 32.5));
        assertThat(bench.look.counts(bench.region)).isEqualTo(new RedisLook.Tally(new Summary.Counts(1, 0, 0, 0), 1));
    }

    @Test
    void aDriverThatIsNotKnownHereEntersOnlyWhereItMay() {
        assertThat(bench.fixes.update(bench.region, List.of(fix("d1")), false)).containsExactly(new FixReply.Absent());
        assertThat(bench.isIn(bench.region, "d1")).isFalse();
    }

    @Test
    void aFixThatIsNotNewerByItsTimeChangesNothing() {
        bench.update(fix("d1", null, NOON.plusSeconds(5)));
        DriverLine before = bench.line("d1");

        assertThat(bench.update(fix("d1", null, NOON.plusSeconds(4))))
                .isEqualTo(new FixReply.Ignored(Status.AVAILABLE));
        assertThat(bench.update(fix("d1", null, NOON.plusSeconds(5))))
                .isEqualTo(new FixReply.Ignored(Status.AVAILABLE));

        assertThat(bench.line("d1")).isEqualTo(before);
        assertThat(bench.look.counts(bench.region).updates()).isEqualTo(1);
        assertThat(bench.update(fix("d1", null, NOON.plusSeconds(5).plusNanos(1_000))))
                .isInstanceOf(FixReply.Accepted.class);
    }

    @Test
    void whereBothHaveASeqTheirTimesDoNotCount() {
        bench.update(fix("d1", 10L, NOON));

        assertThat(bench.update(fix("d1", 9L, NOON.plusSeconds(9)))).isInstanceOf(FixReply.Ignored.class);
        assertThat(bench.update(fix("d1", 10L, null))).isInstanceOf(FixReply.Ignored.class);
        assertThat(bench.update(fix("d1", 11L, NOON.minusSeconds(9)))).isInstanceOf(FixReply.Accepted.class);
        assertThat(bench.line("d1").at()).isEqualTo(NOON.minusSeconds(9));
    }

    @Test
    void aSeqIsRememberedThroughFixesWithoutOne() {
        bench.update(fix("d1", 10L, NOON));
        assertThat(bench.update(fix("d1", null, NOON.minusSeconds(1)))).isInstanceOf(FixReply.Ignored.class);
        assertThat(bench.update(fix("d1", null, NOON.plusSeconds(1)))).isInstanceOf(FixReply.Accepted.class);

        assertThat(bench.update(fix("d1", 9L, NOON.plusSeconds(2)))).isInstanceOf(FixReply.Ignored.class);
        assertThat(bench.line("d1").seq()).isEqualTo(10);
    }

    @Test
    void theGreatestSeqIsComparedExactly() {
        bench.update(fix("d1", RedisFixes.MOST_SEQ - 1, null));

        assertThat(bench.update(fix("d1", RedisFixes.MOST_SEQ, null))).isInstanceOf(FixReply.Accepted.class);
        assertThat(bench.line("d1").seq()).isEqualTo(RedisFixes.MOST_SEQ);
        assertThatThrownBy(() -> bench.update(fix("d1", RedisFixes.MOST_SEQ + 1, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("seq");
    }

    @Test
    void aFixWithoutATimeIsOfNowButAfterTheLast() {
        bench.update(fix("d1", null, NOON.plusSeconds(30)));

        FixReply reply = bench.update(fixAt("d1", 13, 78));

        assertThat(((FixReply.Accepted) reply).at())
                .isEqualTo(NOON.plusSeconds(30).plusNanos(1_000));
        assertThat(bench.line("d1").cell()).isEqualTo(Cell.of(13, 78));
        assertThat(bench.line("d1").at()).isEqualTo(NOON.plusSeconds(30).plusNanos(1_000));
    }

    @Test
    void aFixFromTheFutureIsRefusedOfAnyDriver() {
        bench.update(fix("known", null, NOON));
        CellFix just = fix("known", null, NOON.plusSeconds(60));

        List<FixReply> replies = bench.fixes.update(
                bench.region,
                List.of(
                        fix("known", null, NOON.plusSeconds(60).plusNanos(1_000)),
                        fix("new", null, NOON.plusSeconds(61))),
                true);

        assertThat(replies).containsExactly(FixReply.Future.at(NOON), FixReply.Future.at(NOON));
        assertThat(bench.isIn(bench.region, "new")).isFalse();
        assertThat(bench.update(just)).isInstanceOf(FixReply.Accepted.class);
        bench.update(fix("known", 5L, null));
        assertThat(bench.update(fix("known", 4L, NOON.plusSeconds(61))))
                .as("though it is not newer either")
                .isEqualTo(FixReply.Future.at(NOON));
    }

    @Test
    void aTimeFromBeforeTheEpochIsTheOldestThereIs() {
        assertThat(bench.update(fix("d1", null, Instant.parse("1969-01-01T00:00:00Z"))))
                .isInstanceOf(FixReply.Accepted.class);
        assertThat(bench.update(fix("d1", null, Instant.parse("1999-01-01T00:00:00Z"))))
                .isInstanceOf(FixReply.Accepted.class);
        assertThat(bench.line("d1").at()).isEqualTo("1999-01-01T00:00:00Z");
    }

    @Test
    void aBusyDriverMovesButIsNeitherFoundNorCountedOn() {
        bench.update(fix("d1"));
        bench.settle(RegionBench.busy("d1", 1));
        bench.clock.advance(Duration.ofSeconds(5));

        FixReply.Accepted reply = (FixReply.Accepted) bench.update(fixAt("d1", 13, 78));

        assertThat(reply.status()).isEqualTo(Status.BUSY);
        assertThat(reply.version()).isEqualTo(1);
        assertThat(bench.line("d1").cell()).isEqualTo(Cell.of(13, 78));
        assertThat(bench.line("d1").seenAt()).isEqualTo(NOON.plusSeconds(5));
        assertThat(bench.found()).isEmpty();
        assertThat(bench.heartbeatEnds("d1")).isNull();
    }

    @Test
    void aChosenOfflineIsNotUndoneByAFix() {
        bench.update(fix("d1"));
        bench.settle(RegionBench.chosen("d1", 1));

        FixReply.Accepted reply = (FixReply.Accepted) bench.update(fixAt("d1", 13, 78));

        assertThat(reply.status()).isEqualTo(Status.OFFLINE);
        assertThat(bench.line("d1").cell()).isEqualTo(Cell.of(13, 78));
        assertThat(bench.found()).isEmpty();
        assertThat(bench.heartbeatEnds("d1")).isNull();
    }

    @Test
    void aReservedDriverLivesOnButIsNotFound() {
        bench.update(fix("d1"));
        bench.settle(bench.reserved("d1", 1));
        bench.clock.advance(Duration.ofSeconds(5));

        FixReply.Accepted reply = (FixReply.Accepted) bench.update(fixAt("d1", 13, 78));

        assertThat(reply.status()).isEqualTo(Status.AVAILABLE);
        assertThat(reply.reserved()).isTrue();
        assertThat(bench.found()).isEmpty();
        assertThat(bench.heartbeatEnds("d1"))
                .isEqualTo(NOON.plusSeconds(5).plus(HEARTBEAT).toEpochMilli());
    }

    @Test
    void whoWasSilentIsAvailableAgainWithTheNextFix() {
        bench.update(fix("d1"));
        bench.clock.advance(HEARTBEAT);
        bench.sweeps.sweep(bench.region, 10);
        bench.clock.advance(HEARTBEAT);

        FixReply.Accepted reply = (FixReply.Accepted) bench.update(fix("d1"));

        assertThat(reply.status()).isEqualTo(Status.AVAILABLE);
        assertThat(reply.changed()).isTrue();
        assertThat(reply.since()).isEqualTo(bench.clock.instant());
        assertThat(bench.found()).containsExactly("d1");
        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(1, 0, 0, 0));
    }

    @Test
    void aDriverIsFoundByEachOfItsTagsWhereverItGoes() {
        bench.update(fix("d1"));
        bench.update(fix("d2"));
        bench.settle(RegionBench.tagged(RegionBench.free("d1", 1), "van", "xl"));

        bench.fixes.update(bench.region, List.of(fixAt("d1", 13, 78), fixAt("d2", 13, 78)), false);

        assertThat(bench.foundBy("van")).containsExactly("d1");
        assertThat(bench.foundBy("xl")).containsExactly("d1");
        assertThat(target.commands().zscore(bench.key("tagged:xl"), "d1")).isEqualTo((double) Cell.of(13, 78));
        bench.settle(RegionBench.tagged(RegionBench.busy("d1", 2), "van", "xl"));
        assertThat(bench.foundBy("van")).isEmpty();
        assertThat(bench.foundBy("xl")).isEmpty();
        assertThat(bench.found()).containsExactly("d2");
    }

    @Test
    void aFullBatchIsTakenAndEachDriverHasItsOwnAnswer() {
        List<CellFix> batch = new ArrayList<>();
        for (int i = 0; i < RedisRegion.MAX_BATCH; i++) {
            batch.add(fixAt("d" + i, 10 + i * 0.01, 70));
        }
        bench.fixes.update(bench.region, batch.subList(0, 100), true);
        bench.settle(RegionBench.busy("d7", 1));
        bench.update(fix("d8", null, NOON.plusSeconds(20)));
        batch.set(8, fix("d8", null, NOON.plusSeconds(10)));

        List<FixReply> replies = bench.fixes.update(bench.region, batch, false);

        assertThat(replies).hasSize(RedisRegion.MAX_BATCH);
        assertThat(((FixReply.Accepted) replies.get(7)).status()).isEqualTo(Status.BUSY);
        assertThat(replies.get(8)).isInstanceOf(FixReply.Ignored.class);
        assertThat(replies.subList(100, 200)).containsOnly(new FixReply.Absent());
        assertThat(replies.subList(9, 100)).allMatch(FixReply.Accepted.class::isInstance);
        assertThat(target.commands().zcard(bench.key("geo"))).isEqualTo(99);
    }

    @Test
    void aBatchThatIsTooLargeOrNamesADriverTwiceIsRefused() {
        List<CellFix> many = new ArrayList<>();
        for (int i = 0; i <= RedisRegion.MAX_BATCH; i++) {
            many.add(fix("d" + i));
        }

        assertThatThrownBy(() -> bench.fixes.update(bench.region, many, true))
                .hasMessageContaining("1 to 200 drivers, not 201");
        assertThatThrownBy(() -> bench.fixes.update(bench.region, List.of(), true))
                .hasMessageContaining("1 to 200 drivers, not 0");
        assertThatThrownBy(() -> bench.fixes.update(bench.region, List.of(fix("d1"), fix("d1")), true))
                .hasMessageContaining("d1 comes twice");
    }

    @Test
    void whoHoldsAnOldPassChangesNothing() {
        RedisFixes late = new RedisFixes(bench.redis, Passes.always(new Pass.Ready(2)), HEARTBEAT);

        assertThatThrownBy(() -> late.update(bench.region, List.of(fix("d1")), true))
                .isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> late.leave(bench.region, fix("d1"), "mys")).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() ->
                        late.enter(bench.region, new Pass.Ready(2), "d1", Leaving.fromNowhere("blr", 1), fix("d1")))
                .isInstanceOf(RebuildingException.class);
        assertThat(bench.isIn(bench.region, "d1")).isFalse();
    }
}
