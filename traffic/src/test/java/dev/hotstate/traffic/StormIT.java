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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections break at any moment, between a flush and its answer too: nothing is lost, nothing counts twice. */
@ExtendWith(Testkit.class)
class StormIT {
    private static final int FLUSHES = 40;

    /** Fewer than those of any flush, more than those of a PING. */
    private static final int FLUSH_BYTES = 800;

    private final Random random = new Random(4);
    private final Map<String, Long> expected = new HashMap<>();

    @Test
    void everyRequestCountsOnceHoweverOftenConnectionsBreak(RedisServer server) {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                TestFleet near = new TestFleet(server);
                TestFleet far = TestFleet.quick("redis://127.0.0.1:" + proxy.port())) {
            Traffic writer = far.instance("web-1");
            writer.flush();
            // So that a flush is still on its way, or its answer, when the connection breaks.
            proxy.delay(Duration.ofMillis(20));
            for (int i = 0; i < FLUSHES; i++) {
                record(writer);
                flushInAStorm(writer, proxy);
                far.clock.advance(Duration.ofMillis(100));
            }
            proxy.restore();
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

    /** Every other time the connection breaks when Redis has got the flush, and has not answered yet. */
    private void flushInAStorm(Traffic writer, TcpProxy proxy) {
        boolean breaks = random.nextBoolean();
        long before = proxy.bytesToServer();
        AtomicBoolean flushed = new AtomicBoolean();
        Thread storm = Thread.ofVirtual().start(() -> {
            until("the flush has passed", () -> flushed.get() || proxy.bytesToServer() - before > FLUSH_BYTES);
            if (breaks) {
                proxy.reset();
            }
        });
        flushes(writer);
        flushed.set(true);
        join(storm);
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
