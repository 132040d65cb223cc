package dev.hotstate.traffic;

import static dev.hotstate.traffic.TestFleet.get;
import static dev.hotstate.traffic.TestFleet.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections break at any moment, between a flush and its answer too: nothing is lost, nothing counts twice. */
@ExtendWith(Testkit.class)
class StormIT {
    private static final int FLUSHES = 150;

    private final Random random = new Random(4);
    private final Map<String, Long> expected = new HashMap<>();

    @Test
    void everyRequestCountsOnceHoweverOftenConnectionsBreak(RedisServer server) {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                TestFleet near = new TestFleet(server);
                TestFleet far = TestFleet.quick("redis://127.0.0.1:" + proxy.port())) {
            Traffic writer = far.instance("web-1");
            for (int i = 0; i < FLUSHES; i++) {
                record(writer);
                Thread storm = Thread.ofVirtual().start(() -> breakSometimes(proxy));
                flushes(writer);
                join(storm);
                far.clock.advance(Duration.ofMillis(100));
            }
            until("Redis answers again", () -> flushes(writer));
            near.clock.set(far.clock.instant());

            Traffic reader = near.instance("reader");
            long total = expected.values().stream().mapToLong(Long::longValue).sum();
            assertThat(reader.summary().requests().total()).isEqualTo(total);
            assertThat(reader.checkpoint().endpoints().entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey, entry -> entry.getValue().requests())))
                    .isEqualTo(expected);
            assertThat(reader.endpoints(Window.MINUTE).stream().collect(Collectors.toMap(Line::name, Line::requests)))
                    .isEqualTo(expected);
        }
    }

    private void record(Traffic writer) {
        for (int i = random.nextInt(20); i > 0; i--) {
            String route = "/route/" + random.nextInt(5);
            get(writer, route, 200, random.nextInt(100));
            expected.merge("GET " + route, 1L, Long::sum);
        }
    }

    /** Now and then while a flush is on its way; in between there is time to connect again. */
    private void breakSometimes(TcpProxy proxy) {
        if (random.nextInt(3) == 0) {
            proxy.reset();
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

    private static void join(Thread storm) {
        try {
            storm.join();
        } catch (InterruptedException hurried) {
            throw new AssertionError(hurried);
        }
    }
}
