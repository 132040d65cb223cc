package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * 100,000 requests with known times over three instances, of which one crashes in the middle: totals are exact but for
 * what it had not flushed, and percentiles of every window are within their bound.
 */
@ExtendWith(Testkit.class)
class ReplayIT {
    private static final int SECONDS = 1_000;
    private static final int A_SECOND = 100;
    private static final int CRASH = 500;
    private static final double BOUND = 1.0 / 64;
    private static final List<String> ROUTES = List.of("/a", "/b", "/c", "/d", "/e");

    private final Random random = new Random(20_260_101);
    private final List<Request> counted = new ArrayList<>();
    private final TestFleet fleet;
    private final List<Traffic> instances;

    ReplayIT(RedisServer server) {
        this.fleet = new TestFleet(server);
        this.instances =
                new ArrayList<>(List.of(fleet.instance("web-1"), fleet.instance("web-2"), fleet.instance("web-3")));
    }

    /** A request that must be found, and when it was counted. */
    private record Request(String instance, String route, int status, long micros, long atMs) {}

    @Test
    void totalsAreExactAndPercentilesWithinTheirBound() {
        try (fleet) {
            for (int second = 0; second < SECONDS; second++) {
                replay(second);
            }

            Traffic reader = instances.getFirst();
            assertTotals(reader);
            for (Window window : Window.values()) {
                assertWindow(reader, window);
            }
        }
    }

    private void replay(int second) {
        for (int i = 0; i < A_SECOND; i++) {
            int instance = random.nextInt(instances.size());
            Request request = request("web-" + (instance + 1));
            instances
                    .get(instance)
                    .recorder()
                    .record("GET", request.route(), request.status(), Duration.ofNanos(request.micros() * 1000));
            boolean lost = second == CRASH && instance == 2;
            if (!lost) {
                counted.add(request);
            }
        }
        if (second == CRASH) {
            // It crashes with a second in memory that it has not flushed; the load goes to the others.
            instances.removeLast();
        }
        instances.forEach(Traffic::flush);
        fleet.clock.advance(Duration.ofSeconds(1));
    }

    /** Times as of a real service: most of some milliseconds, a few of seconds. */
    private Request request(String instance) {
        int route = random.nextInt(ROUTES.size());
        double micros = Math.exp(random.nextGaussian() + 7 + route);
        int status = random.nextInt(20) == 0 ? 503 : random.nextInt(10) == 0 ? 404 : 200;
        return new Request(instance, ROUTES.get(route), status, (long) micros, fleet.clock.millis());
    }

    private void assertTotals(Traffic reader) {
        Summary summary = reader.summary();
        assertThat(counted).hasSizeBetween(SECONDS * A_SECOND - A_SECOND, SECONDS * A_SECOND - 1);
        assertThat(summary.requests().total()).isEqualTo(counted.size());
        assertThat(summary.requests().accepted()).isEqualTo(counted.size() - withStatus(503));
        assertThat(summary.errors()).isEqualTo(withStatus(503) + withStatus(404));
        assertThat(summary.errorsByStatus()).isEqualTo(Map.of(404, withStatus(404), 503, withStatus(503)));
        assertThat(summary.requests().maxSpeedPerSecond()).isEqualTo(A_SECOND);
        Checkpoint totals = reader.checkpoint();
        assertThat(totals.instances()).hasSize(3).isEqualTo(countedBy(Request::instance));
        assertThat(totals.hourly()).isEqualTo(countedBy(request -> Level.HOUR.start(request.atMs())));
        assertThat(reader.hourly().stream().mapToLong(Line::requests).sum()).isEqualTo(counted.size());
        for (String route : ROUTES) {
            List<Request> requests = of(counted, route);
            EndpointDetail detail = reader.endpoint("GET", route).orElseThrow();
            assertThat(detail.requests()).isEqualTo(requests.size());
            assertThat(detail.avgMs() * 1000)
                    .isCloseTo(
                            requests.stream()
                                    .mapToLong(Request::micros)
                                    .average()
                                    .orElseThrow(),
                            within(0.01));
            assertThat(detail.samples()).hasSize(1_000);
        }
    }

    private void assertWindow(Traffic reader, Window window) {
        long from = window.starts(fleet.clock.millis()).getFirst();
        List<Request> within =
                counted.stream().filter(request -> request.atMs() >= from).toList();
        Map<String, Line> lines = new HashMap<>();
        reader.endpoints(window).forEach(line -> lines.put(line.name(), line));
        assertThat(lines).hasSize(ROUTES.size());
        for (String route : ROUTES) {
            List<Request> requests = of(within, route);
            List<Long> micros = requests.stream().map(Request::micros).toList();
            Line line = lines.get("GET " + route);
            assertThat(line.requests()).as(window + " " + route).isEqualTo(requests.size());
            assertPercentile(line.p50(), micros, 50);
            assertPercentile(line.p90(), micros, 90);
            assertPercentile(line.p95(), micros, 95);
            assertPercentile(line.p99(), micros, 99);
        }
    }

    private static void assertPercentile(double estimateMs, List<Long> micros, double percent) {
        double exact = HistogramTest.exact(micros, percent);
        assertThat(Math.abs(estimateMs * 1000 - exact)).isLessThanOrEqualTo(exact * BOUND + 1e-6);
    }

    private <T> Map<T, Long> countedBy(Function<Request, T> name) {
        return counted.stream().collect(Collectors.groupingBy(name, Collectors.counting()));
    }

    private long withStatus(int status) {
        return counted.stream().filter(request -> request.status() == status).count();
    }

    private static List<Request> of(List<Request> requests, String route) {
        return requests.stream()
                .filter(request -> request.route().equals(route))
                .toList();
    }
}
