package dev.hotstate.drivers;

import static dev.hotstate.drivers.RegionBench.HEARTBEAT;
import static dev.hotstate.drivers.RegionBench.NOON;
import static dev.hotstate.drivers.RegionBench.alive;
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
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What PostgreSQL has decided is what a driver is, by its version; and how drivers come back after a loss. */
abstract class TruthContract {
    private static final Settled AVAILABLE = new Settled.Now(Status.AVAILABLE, false);
    private static final Settled OFFLINE = new Settled.Now(Status.OFFLINE, false);

    private final RedisTarget target;
    private RegionBench bench;

    TruthContract(RedisTarget target) {
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
    void aDecisionHoldsUntilALaterOne() {
        bench.update(fix("d1"));

        assertThat(bench.settle(busy("d1", 2))).isEqualTo(new Settled.Now(Status.BUSY, false));
        assertThat(bench.settle(alive("d1", 1))).isEqualTo(new Settled.Known());
        assertThat(bench.settle(alive("d1", 2))).isEqualTo(new Settled.Known());

        assertThat(bench.line("d1").status()).isEqualTo(Status.BUSY);
        assertThat(bench.settle(chosen("d1", 3))).isEqualTo(OFFLINE);
        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(0, 0, 1, 0));
    }

    @Test
    void whoIsMarkedAvailableIsFoundAtOnceAndItsHeartbeatBegins() {
        bench.update(fix("d1"));
        bench.settle(chosen("d1", 1));
        bench.clock.advance(Duration.ofHours(1));
        Truth marked =
                new Truth("d1", 1, 2, Status.AVAILABLE, false, true, bench.clock.instant(), null, RegionBench.PLAIN);

        assertThat(bench.settle(marked)).isEqualTo(AVAILABLE);

        assertThat(bench.found()).containsExactly("d1");
        assertThat(bench.heartbeatEnds("d1"))
                .isEqualTo(bench.clock.instant().plus(HEARTBEAT).toEpochMilli());
        assertThat(bench.line("d1").since()).isEqualTo(bench.clock.instant());
    }

    @Test
    void whoIsFreedWithoutASignOfLifeIsAvailableOnlyIfItWasHeardOfLately() {
        bench.update(fix("lately"));
        bench.update(fix("silent"));
        bench.settle(busy("lately", 1));
        bench.settle(busy("silent", 1));
        bench.clock.advance(Duration.ofSeconds(45));
        bench.update(fix("lately"));
        bench.clock.advance(Duration.ofSeconds(15));

        assertThat(bench.truth.settle(bench.region, List.of(free("lately", 2), free("silent", 2))))
                .containsExactly(AVAILABLE, OFFLINE);

        assertThat(bench.found()).containsExactly("lately");
        assertThat(bench.heartbeatEnds("lately"))
                .isEqualTo(NOON.plusSeconds(105).toEpochMilli());
    }

    @Test
    void aProfileIsLearntWithoutTouchingWhatTheDriverIs() {
        bench.update(fix("d1"));
        bench.clock.advance(Duration.ofSeconds(10));

        assertThat(bench.settle(tagged(free("d1", 1), "van"))).isEqualTo(AVAILABLE);
        assertThat(bench.driver("d1").rating()).isEqualTo(4.5);
        assertThat(bench.driver("d1").tags()).containsExactly("van");
        assertThat(bench.heartbeatEnds("d1")).isEqualTo(NOON.plus(HEARTBEAT).toEpochMilli());

        bench.settle(tagged(free("d1", 2), "xl"));
        assertThat(bench.foundBy("van")).isEmpty();
        assertThat(bench.foundBy("xl")).containsExactly("d1");
        bench.settle(free("d1", 3));
        assertThat(bench.foundBy("xl")).isEmpty();
        assertThat(bench.driver("d1").rating()).isNull();
        assertThat(target.commands().exists(bench.key("profile"))).isZero();
        assertThat(bench.found()).containsExactly("d1");
    }

    @Test
    void aDriverThatNobodyHasHeardOfIsOfflineUntilItsFirstFix() {
        Truth described = new Truth("d1", 4, 1, Status.OFFLINE, false, false, NOON, null, RegionBench.PLAIN);

        assertThat(bench.settle(tagged(described, "van"))).isEqualTo(OFFLINE);
        assertThat(bench.line("d1").cell()).isNull();
        assertThat(bench.line("d1").at()).isNull();
        assertThat(bench.line("d1").seenAt()).isNull();
        FixReply.Accepted first = (FixReply.Accepted)
                bench.fixes.update(bench.region, List.of(fix("d1")), false).getFirst();

        assertThat(first.status()).isEqualTo(Status.AVAILABLE);
        assertThat(first.epoch()).isEqualTo(4);
        assertThat(bench.foundBy("van")).containsExactly("d1");
    }

    @Test
    void whoIsAvailableWithoutAPositionIsCountedOnButNotFound() {
        assertThat(bench.settle(alive("d1", 1))).isEqualTo(AVAILABLE);
        assertThat(bench.found()).isEmpty();
        assertThat(bench.heartbeatEnds("d1")).isNotNull();
    }

    @Test
    void aReservedDriverReturnsWhenItsReservationEnds() {
        bench.update(fix("d1"));
        bench.settle(tagged(bench.reserved("d1", 1), "van"));

        assertThat(bench.found()).isEmpty();
        assertThat(bench.driver("d1").held()).isEqualTo(new Held("r-d1", "1-7", NOON.plusSeconds(30)));
        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(1, 0, 0, 1));
        bench.clock.advance(Duration.ofSeconds(31));
        assertThat(bench.settle(tagged(free("d1", 2), "van"))).isEqualTo(AVAILABLE);

        assertThat(bench.found()).containsExactly("d1");
        assertThat(bench.foundBy("van")).containsExactly("d1");
        assertThat(bench.driver("d1").held()).isNull();
        assertThat(target.commands().exists(bench.key("reserved"), bench.key("leases")))
                .isZero();
        assertThat(bench.line("d1").since()).isEqualTo(NOON);
        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(1, 0, 0, 0));
    }

    @Test
    void aReservedDriverThatFellSilentReturnsOffline() {
        bench.update(fix("d1"));
        bench.settle(bench.reserved("d1", 1));
        bench.clock.advance(HEARTBEAT);

        assertThat(bench.settle(free("d1", 2))).isEqualTo(OFFLINE);

        assertThat(bench.heartbeatEnds("d1")).isNull();
        assertThat(bench.line("d1").since()).isEqualTo(bench.clock.instant());
    }

    @Test
    void aConfirmedReservationLeavesNothingButABusyDriver() {
        bench.update(fix("d1"));
        bench.settle(bench.reserved("d1", 1));

        bench.settle(busy("d1", 2));

        assertThat(bench.driver("d1").held()).isNull();
        assertThat(bench.heartbeatEnds("d1")).isNull();
        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(0, 1, 0, 0));
    }

    @Test
    void whoHasLeftIsToBeToldWhereItWent() {
        bench.update(fix("d1"));
        bench.fixes.leave(bench.region, fix("d1"), "mys");

        assertThat(bench.settle(busy("d1", 1))).isEqualTo(new Settled.Moved("mys", 2));
        assertThat(bench.isIn(bench.region, "d1")).isFalse();
    }

    @Test
    void whoWasForgottenAndCameBackLearnsItsEpochAndVersionWithADecision() {
        bench.update(fix("d1"));

        bench.settle(new Truth("d1", 5, 7, Status.AVAILABLE, false, false, NOON, null, RegionBench.PLAIN));

        assertThat(bench.line("d1").epoch()).isEqualTo(5);
        assertThat(bench.line("d1").version()).isEqualTo(7);
        assertThat(bench.found()).containsExactly("d1");
        bench.settle(busy("d1", 8));
        assertThat(bench.line("d1").epoch()).isEqualTo(5);
    }

    @Test
    void afterALossDecisionsAndOrderAreThereAndTheFreeWaitForAFix() {
        Held held = new Held("r1", "1-9", NOON.plusSeconds(30));
        List<StoredDriver> page = List.of(
                stored("free", Status.AVAILABLE, false, null),
                stored("busy", Status.BUSY, false, null),
                stored("chosen", Status.OFFLINE, true, null),
                stored("held", Status.AVAILABLE, false, held));

        bench.truth.revive(bench.region, bench.pass(), page);
        bench.truth.revive(bench.region, bench.pass(), page);

        assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(1, 1, 2, 1));
        assertThat(bench.found()).isEmpty();
        assertThat(bench.driver("held").held()).isEqualTo(held);
        assertThat(bench.line("free"))
                .isEqualTo(new DriverLine('O', NOON, NOON.minusSeconds(99), 3, 7, 5L, NOON, 1234567L, 45.5, null));
        assertThat(bench.update(fix("free", 5L, null))).isEqualTo(new FixReply.Ignored(Status.OFFLINE));
        assertThat(bench.settle(busy("free", 7))).isEqualTo(new Settled.Known());
        bench.update(fix("free", 6L, null));
        bench.update(fix("busy", 6L, null));
        bench.update(fix("chosen", 6L, null));
        assertThat(bench.found()).containsExactly("free");
        assertThat(bench.foundBy("van")).containsExactly("free");
        assertThat(bench.settle(tagged(free("held", 8), "van"))).isEqualTo(OFFLINE);
    }

    @Test
    void aDriverWithoutAFixComesBackToo() {
        StoredDriver plain = new StoredDriver(
                "d1", "blr", 1, null, 0, Status.OFFLINE, false, NOON, RegionBench.PLAIN, null, null, null, false);

        bench.truth.revive(bench.region, bench.pass(), List.of(plain));

        assertThat(bench.line("d1")).isEqualTo(new DriverLine('O', null, NOON, 1, 0, null, null, null, null, null));
        assertThat(bench.driver("d1").view("blr", null, null).lat()).isNull();
    }

    @Test
    void whoHoldsAnOldPassDecidesNothing() {
        RedisTruth late = new RedisTruth(bench.redis, Passes.always(new Pass.Ready(2)), HEARTBEAT);
        RedisLook blind = new RedisLook(bench.redis, Passes.always(new Pass.Ready(2)));

        assertThatThrownBy(() -> late.settle(bench.region, List.of(busy("d1", 1))))
                .isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() ->
                        late.revive(bench.region, new Pass.Ready(2), List.of(stored("d1", Status.BUSY, false, null))))
                .isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> blind.drivers(bench.region, List.of("d1"))).isInstanceOf(RebuildingException.class);
        assertThat(bench.isIn(bench.region, "d1")).isFalse();
    }

    private static StoredDriver stored(String id, Status status, boolean chosen, Held held) {
        Instant since = NOON.minusSeconds(99);
        Profile profile = new Profile("Asha", null, 4.5, List.of("van"));
        StoredDriver.LastFix last = new StoredDriver.LastFix(1234567L, 45.5, null, 5L, NOON);
        return new StoredDriver(id, "blr", 3, null, 7, status, chosen, since, profile, last, NOON, held, false);
    }
}
