package dev.hotstate.traffic;

import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is counted when Redis, or the way to it, fails. */
class TrafficFaultsIT {
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
            Eventually.until("Redis answers again", () -> TestFleet.flushes(writer));

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
                assertThat(TestFleet.flushes(writer)).isFalse();
            }
            near.clock.set(far.clock.instant());
            proxy.restore();
            Eventually.until("Redis answers again", () -> TestFleet.flushes(writer));

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
    void anInstanceThatCannotFlushWhenItClosesEndsAllTheSame() {
        try (TestFleet fleet = TestFleet.quick(server.uri())) {
            Traffic traffic = fleet.instance("web-1");
            get(traffic, "/a", 200, 10);
            server.kill();

            traffic.close();

            assertThat(TestFleet.flushes(traffic)).isFalse();
        }
    }
}
