package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.SettableClock;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers of requests feed a recorder; nothing else does. */
class TrafficMetersTest {
    private final Stripes stripes = Stripes.forReports(11);
    private final CompositeMeterRegistry meters = new CompositeMeterRegistry();

    TrafficMetersTest() {
        SettableClock clock = SettableClock.at(TestFleet.START);
        meters.add(new TrafficMeters(new InstanceRecorder(new Endpoints(10), clock, stripes)));
    }

    @Test
    void aTimedRequestIsCounted() {
        meters.timer("http.server.requests", "method", "GET", "uri", "/users/{id}", "status", "404")
                .record(Duration.ofMillis(12));

        assertThat(recorded()).containsExactly("GET /users/{id} 1 1 12000");
    }

    @Test
    void aRouteTagWillDo() {
        meters.timer("http.server.requests", "method", "PUT", "route", "/users", "status", "201")
                .record(Duration.ofMillis(1));

        assertThat(recorded()).containsExactly("PUT /users 1 0 1000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNKNOWN", "NOT_FOUND", "/**", "root"})
    void aRequestWithoutARouteIsUnmatched(String uri) {
        meters.timer("http.server.requests", "method", "GET", "uri", uri, "status", "404")
                .record(Duration.ofMillis(1));

        assertThat(recorded()).containsExactly("GET unmatched 1 1 1000");
    }

    @Test
    void aStatusThatIsNotToldIsTakenAsSuccess() {
        meters.timer("http.server.requests", "method", "GET", "uri", "/a").record(Duration.ofMillis(1));
        meters.timer("http.server.requests", "method", "GET", "uri", "/a", "status", "CLIENT_ERROR")
                .record(Duration.ofMillis(2));

        assertThat(recorded()).containsExactly("GET /a 2 0 3000");
    }

    @Test
    void otherMetersAreIgnored() {
        meters.timer("jdbc.queries", "method", "GET", "uri", "/a", "status", "200")
                .record(Duration.ofMillis(1));
        meters.counter("http.server.requests.count").increment();
        meters.gauge("some.gauge", 5);
        meters.summary("http.request.size").record(1);

        assertThat(recorded()).isEmpty();
    }

    /** What was recorded, as endpoint, requests, errors and the sum of times in microseconds. */
    private List<String> recorded() {
        List<String> recorded = new ArrayList<>();
        stripes.drain(page -> page.cells(cell -> {
            Figures figures = cell.figures();
            recorded.add(cell.endpoint().name() + " " + figures.requests() + " " + figures.errors() + " "
                    + figures.sumMicros());
        }));
        return recorded;
    }
}
