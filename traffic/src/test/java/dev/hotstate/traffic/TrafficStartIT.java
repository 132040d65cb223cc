package dev.hotstate.traffic;

import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An instance as an application starts it: it flushes by itself. */
@ExtendWith(Testkit.class)
class TrafficStartIT {
    @Test
    void aStartedInstanceFlushesByItselfAndAgainWhenRedisIsBack() {
        try (RedisServer server = RedisServer.start("appendonly yes", "appendfsync always");
                TestFleet fleet = TestFleet.quick(server.uri());
                Traffic traffic =
                        Traffic.start(fleet.connect(), TrafficOptions.of("web-1", fleet.clock), Checkpoints.none())) {
            get(traffic, "/a", 200, 1);
            Eventually.until("it is counted", () -> traffic.summary().requests().total() == 1);

            server.kill();
            get(traffic, "/a", 200, 1);
            server.restart();

            Eventually.until("that is counted too", () -> total(traffic) == 2);
        }
    }

    @Test
    void closingFlushesWhatIsLeft(RedisServer server) {
        server.flushAll();
        try (TestFleet fleet = new TestFleet(server)) {
            Traffic traffic =
                    Traffic.start(fleet.connect(), TrafficOptions.of("web-1", fleet.clock), Checkpoints.none());
            get(traffic, "/a", 200, 1);

            traffic.close();

            assertThat(traffic.summary().requests().total()).isEqualTo(1);
        }
    }

    private static long total(Traffic traffic) {
        try {
            return traffic.summary().requests().total();
        } catch (RedisUnavailableException away) {
            return -1;
        }
    }
}
