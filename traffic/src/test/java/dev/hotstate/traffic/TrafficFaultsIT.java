package dev.hotstate.traffic;

import static dev.hotstate.traffic.TestFleet.START;
import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is counted when Redis, or the way to it, fails. */
class TrafficFaultsIT {
    private static final long HOUR = Instant.parse("2026-01-01T10:00:00Z").toEpochMilli();
    private static final Checkpoint CHECKPOINT = new Checkpoint(
            START.minusSeconds(30),
            1_000,
            900,
            150,
            Map.of(404, 50L, 503, 100L),
            Map.of("GET /a", new Checkpoint.EndpointTotals(700, 150, 700, 1_400.5)),
            Map.of("web-1", 600L),
            Map.of(HOUR, 800L));

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void aFlushWhoseAnswerWasLostCountsOnce() {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                TestFleet near = new TestFleet(server);
                TestFleet far = TestFleet.quick("redis://127.0.0.1:" + proxy.port())) {
            Traffic reader = near.instance("reader");
            Traffic writer = far.instance("web-1");
            writer.flush();
            get(writer, "/a", 200, 10);
            // What is sent arrives, but late, and its answer when nobody waits for it any more.
            proxy.delay(Duration.ofMillis(800));

            assertThatThrownBy(writer::flush).isInstanceOf(RedisUnavailableException.class);
            Eventually.until(
                    "the flush has arrived", () -> reader.summary().requests().total() == 1);
            proxy.restore();
            get(writer, "/a", 500, 30);
            Eventually.until("Redis answers again", () -> flushes(writer));

            assertThat(reader.summary().requests().total()).isEqualTo(2);
            assertThat(reader.endpoints(Window.MINUTE))
                    .extracting(Line::name, Line::requests, Line::errors, Line::avgMs)
                    .containsExactly(tuple("GET /a", 2L, 1L, 20.0));
            assertThat(reader.endpoint("GET", "/a").orElseThrow().samples()).hasSize(2);
        }
    }

    @Test
    void whatIsCountedWhileRedisIsAwayIsThereWhenItIsBack() {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                TestFleet near = new TestFleet(server);
                TestFleet far = TestFleet.quick("redis://127.0.0.1:" + proxy.port())) {
            Traffic reader = near.instance("reader");
            Traffic writer = far.instance("web-1");
            get(writer, "/a", 200, 10);
            writer.flush();
            proxy.cut();

            for (int second = 0; second < 30; second++) {
                far.clock.advance(Duration.ofSeconds(1));
                get(writer, "/a", 200, 10);
                get(writer, "/second/" + second, 404, 20);
                assertThat(flushes(writer)).isFalse();
            }
            near.clock.set(far.clock.instant());
            proxy.restore();
            Eventually.until("Redis answers again", () -> flushes(writer));

            assertThat(reader.summary().requests().total()).isEqualTo(61);
            assertThat(reader.summary().errorsByStatus()).containsEntry(404, 30L);
            assertThat(reader.endpoints(Window.MINUTE)).hasSize(31);
            assertThat(reader.endpoints(Window.MINUTE).getFirst())
                    .extracting(Line::requests)
                    .isEqualTo(31L);
            assertThat(reader.instances(Window.DAY)).extracting(Line::requests).containsExactly(61L);
            assertThat(reader.hourly().getLast().requests()).isEqualTo(61);
            assertThat(reader.endpoint("GET", "/a").orElseThrow().samples()).hasSize(31);
        }
    }

    @Test
    void aFleetThatLivedThroughAnOutageKeepsItsMaxima() {
        try (TestFleet fleet = new TestFleet(server)) {
            Traffic traffic = fleet.instance("web-1");
            for (int i = 0; i < 5; i++) {
                traffic.recorder().began();
                get(traffic, "/a", 200, 1);
            }
            traffic.flush();
            fleet.clock.advance(Duration.ofSeconds(3));
            traffic.flush();
            traffic.recorder().ended();
            fleet.clock.advance(Duration.ofSeconds(30));
            traffic.flush();

            assertThat(traffic.summary().connections()).isEqualTo(new Summary.Connections(4, 5));
            assertThat(traffic.summary().requests().maxSpeedPerSecond()).isEqualTo(5);
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
    void ofTwoThatRestoreAtOnceTheFirstWins() {
        try (TestFleet fleet = new TestFleet(server)) {
            RedisTraffic state = new RedisTraffic(fleet.connect(), 200);

            assertThat(state.restore(CHECKPOINT)).isTrue();
            assertThat(state.restore(CHECKPOINT)).isFalse();

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
        AtomicReference<Checkpoint> kept = new AtomicReference<>();
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
    void anInstanceThatCannotFlushWhenItClosesEndsAllTheSame() {
        try (TestFleet fleet = TestFleet.quick(server.uri())) {
            Traffic traffic = fleet.instance("web-1");
            get(traffic, "/a", 200, 10);
            server.kill();

            traffic.close();

            assertThat(flushes(traffic)).isFalse();
        }
    }

    private static boolean flushes(Traffic traffic) {
        try {
            traffic.flush();
            return true;
        } catch (RedisUnavailableException unavailable) {
            return false;
        }
    }
}
