package dev.hotstate.traffic;

import static dev.hotstate.traffic.TestFleet.START;
import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisSnapshot;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What comes back when Redis is empty, or an older copy of it was put back. */
class LostCountersIT {
    private static final long HOUR = Instant.parse("2026-01-01T10:00:00Z").toEpochMilli();
    private static final Checkpoint CHECKPOINT = new Checkpoint(
            START.minusSeconds(30),
            1_000,
            900,
            150,
            70,
            80,
            Map.of(404, 50L, 503, 100L),
            Map.of("GET /a", new Checkpoint.EndpointTotals(700, 150, 700, 1_400.5)),
            Map.of("web-1", 600L),
            Map.of(HOUR, 800L));

    private final RedisServer server = RedisServer.start();
    private final AtomicReference<Checkpoint> kept = new AtomicReference<>();

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void aLossIsSaidOnceWithWhatTheTotalGoesOnFrom() {
        Logger logger = (Logger) LoggerFactory.getLogger(Restoration.class);
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        logger.addAppender(told);
        try (TestFleet fleet = new TestFleet(server).asking(() -> Optional.ofNullable(kept.get()))) {
            Traffic here = fleet.instance("web-1");
            Traffic there = fleet.instance("web-2");
            here.flush();
            there.flush();
            assertThat(told.list).isEmpty();

            kept.set(CHECKPOINT);
            server.flushAll();
            here.flush();
            there.flush();

            assertThat(told.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .singleElement()
                    .asString()
                    .contains("lost the counters", "1000 requests of " + CHECKPOINT.at());
        } finally {
            logger.detachAppender(told);
        }
    }

    @Test
    void aLostRedisGoesOnFromTheCheckpointOnce() {
        try (TestFleet fleet = new TestFleet(server).keeping(CHECKPOINT)) {
            Traffic here = fleet.instance("web-1");
            Traffic there = fleet.instance("web-2");
            here.flush();
            there.flush();
            server.flushAll();
            get(here, "/a", 200, 10);
            get(there, "/b", 404, 10);

            here.flush();
            there.flush();

            Summary summary = here.summary();
            assertThat(summary.requests().total()).isEqualTo(1_002);
            assertThat(summary.requests().accepted()).isEqualTo(902);
            assertThat(summary.errors()).isEqualTo(151);
            assertThat(summary.errorsByStatus()).isEqualTo(Map.of(404, 51L, 503, 100L));
            assertThat(here.endpoint("GET", "/a").orElseThrow())
                    .extracting(EndpointDetail::requests, EndpointDetail::errors, EndpointDetail::avgMs)
                    .containsExactly(701L, 150L, 1_410.5 / 701);
            assertThat(here.checkpoint().instances()).isEqualTo(Map.of("web-1", 601L, "web-2", 1L));
            assertThat(here.checkpoint().hourly()).isEqualTo(Map.of(HOUR, 802L));
        }
    }

    @Test
    void thePlaceOfOtherIsNeverGivenBack() {
        Checkpoint withOther = new Checkpoint(
                START,
                9,
                9,
                0,
                1,
                1,
                Map.of(),
                Map.of(
                        "GET /a",
                        new Checkpoint.EndpointTotals(2, 0, 2, 1),
                        "other",
                        new Checkpoint.EndpointTotals(7, 0, 7, 1)),
                Map.of(),
                Map.of());
        try (TestFleet fleet = new TestFleet(server)) {
            new RedisTraffic(fleet.connect(), 200).restore(withOther, "", "");

            assertThat(server.commands().zrange(TestFleet.nameOf(TrafficKeys.SEEN.of()), 0, -1))
                    .containsExactly("GET /a");
        }
    }

    @Test
    void ofTwoThatRestoreAtOnceTheFirstWins() {
        try (TestFleet fleet = new TestFleet(server)) {
            RedisTraffic state = new RedisTraffic(fleet.connect(), 200);

            assertThat(state.restore(CHECKPOINT, "", "")).isTrue();
            assertThat(state.restore(CHECKPOINT, "", "")).isFalse();

            assertThat(fleet.instance("web-1").summary().requests().total()).isEqualTo(1_000);
        }
    }

    @Test
    void withoutCheckpointsALostRedisBeginsAtZeroAndTheCurrentSlotsHeal() {
        try (TestFleet fleet = new TestFleet(server)) {
            Traffic here = fleet.instance("web-1");
            Traffic there = fleet.instance("web-2");
            get(here, "/a", 200, 10);
            get(there, "/b", 200, 10);
            here.flush();
            there.flush();
            server.flushAll();

            here.flush();
            // The other one finds the counters restored already, and its slots missing nevertheless.
            there.flush();

            assertThat(here.summary().requests().total()).isZero();
            for (Window window : Window.values()) {
                assertThat(here.endpoints(window))
                        .extracting(Line::name, Line::requests)
                        .containsExactly(tuple("GET /a", 1L), tuple("GET /b", 1L));
                assertThat(here.instances(window)).hasSize(2);
            }
        }
    }

    @Test
    void aCheckpointIsNeverTakenOfLostCounters() {
        try (TestFleet fleet = new TestFleet(server).keeping(CHECKPOINT)) {
            Traffic traffic = fleet.instance("web-1");
            traffic.flush();
            server.flushAll();

            assertThat(traffic.checkpoint().total()).isEqualTo(1_000);
        }
    }

    @Test
    void whileTheCheckpointCannotBeReadNothingIsCountedAndNothingIsLost() {
        Checkpoints checkpoints = () -> Optional.of(
                Optional.ofNullable(kept.get()).orElseThrow(() -> new HotstateException("PostgreSQL does not answer")));
        try (TestFleet fleet = new TestFleet(server).asking(checkpoints)) {
            Traffic traffic = fleet.instance("web-1");
            get(traffic, "/a", 200, 10);

            assertThatThrownBy(traffic::flush).hasMessage("PostgreSQL does not answer");
            assertThat(server.keys()).isEmpty();
            kept.set(CHECKPOINT);
            traffic.flush();

            assertThat(traffic.summary().requests().total()).isEqualTo(1_001);
        }
    }

    @Test
    void maximaComeBackWithTheTotals() {
        try (TestFleet fleet = new TestFleet(server).keeping(CHECKPOINT)) {
            Traffic traffic = fleet.instance("web-1");
            traffic.flush();
            server.flushAll();
            traffic.recorder().began();
            traffic.flush();

            assertThat(traffic.summary().connections()).isEqualTo(new Summary.Connections(1, 70));
            assertThat(traffic.summary().requests().maxSpeedPerSecond()).isEqualTo(80);
            assertThat(traffic.checkpoint())
                    .extracting(Checkpoint::maxConnections, Checkpoint::maxSpeed)
                    .containsExactly(70L, 80L);
        }
    }

    @Test
    void anOldCopyIsNoticedByTheNextFlushAndGoesOnFromTheCheckpoint() {
        try (TestFleet fleet = fleetWithCheckpoints()) {
            Traffic here = fleet.instance("web-1");
            Traffic there = fleet.instance("web-2");
            count(here, 3);
            count(there, 4);
            RedisSnapshot old = server.snapshot();
            count(here, 10);
            count(there, 20);
            kept.set(here.checkpoint());
            // Lost with the copy: what was counted after the checkpoint.
            count(here, 100);

            server.restore(old);
            get(here, "/a", 200, 10);
            get(there, "/a", 500, 10);
            Eventually.until("one has flushed", () -> TestFleet.flushes(here));
            Eventually.until("the other has flushed", () -> TestFleet.flushes(there));

            assertThat(here.summary().requests().total()).isEqualTo(37 + 2);
            assertThat(here.summary().errors()).isEqualTo(1);
            assertThat(here.endpoint("GET", "/a").orElseThrow().requests()).isEqualTo(37 + 2);
            // The slots that run are told again whole, what was counted after the checkpoint included.
            assertThat(here.endpoints(Window.MINUTE)).extracting(Line::requests).containsExactly(137L + 2);
        }
    }

    @Test
    void anOldCopyOfAnEarlierLifeIsNoticedToo() {
        try (TestFleet fleet = fleetWithCheckpoints()) {
            Traffic traffic = fleet.instance("web-1");
            count(traffic, 3);
            RedisSnapshot old = server.snapshot();
            server.flushAll();
            count(traffic, 10);
            kept.set(traffic.checkpoint());

            server.restore(old);
            Eventually.until("it has flushed", () -> TestFleet.flushes(traffic));

            assertThat(traffic.summary().requests().total()).isEqualTo(10);
        }
    }

    @Test
    void aNewProcessOnAnOldCopyGoesOnFromTheCheckpoint() {
        try (TestFleet fleet = fleetWithCheckpoints()) {
            Traffic before = fleet.instance("web-1");
            count(before, 3);
            RedisSnapshot old = server.snapshot();
            count(before, 10);
            kept.set(before.checkpoint());
            before.close();

            server.restore(old);
            Traffic after = fleet.instance("web-1");
            get(after, "/a", 200, 10);
            Eventually.until("it has flushed", () -> TestFleet.flushes(after));

            assertThat(after.summary().requests().total()).isEqualTo(14);
        }
    }

    @Test
    void aCheckpointIsNeverTakenOfAnOldCopy() {
        try (TestFleet fleet = fleetWithCheckpoints()) {
            Traffic traffic = fleet.instance("web-1");
            count(traffic, 3);
            RedisSnapshot old = server.snapshot();
            count(traffic, 10);
            kept.set(traffic.checkpoint());

            server.restore(old);
            Eventually.until("Redis answers", () -> answers(traffic));

            assertThat(traffic.checkpoint().total()).isEqualTo(13);
        }
    }

    /** Whose checkpoint is the one that was kept last. */
    private TestFleet fleetWithCheckpoints() {
        return TestFleet.quick(server.uri()).asking(() -> Optional.ofNullable(kept.get()));
    }

    /** Whether Redis does, without anything being counted. */
    private static boolean answers(Traffic traffic) {
        try {
            traffic.living();
            return true;
        } catch (RedisUnavailableException away) {
            return false;
        }
    }

    private static void count(Traffic traffic, int requests) {
        for (int i = 0; i < requests; i++) {
            get(traffic, "/a", 200, 10);
        }
        traffic.flush();
    }
}
