package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers of requests feed a recorder; nothing else does. */
class TrafficMetersTest {
    private final List<String> recorded = new ArrayList<>();
    private final CompositeMeterRegistry meters = new CompositeMeterRegistry();

    TrafficMetersTest() {
        meters.add(new TrafficMeters(new Notes(recorded)));
    }

    @Test
    void aTimedRequestIsCounted() {
        meters.timer("http.server.requests", "method", "GET", "uri", "/users/{id}", "status", "404")
                .record(Duration.ofMillis(12));

        assertThat(recorded).containsExactly("GET /users/{id} 404 PT0.012S");
    }

    @Test
    void aRouteTagWillDo() {
        meters.timer("http.server.requests", "method", "PUT", "route", "/users", "status", "201")
                .record(Duration.ofMillis(1));

        assertThat(recorded).containsExactly("PUT /users 201 PT0.001S");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNKNOWN", "NOT_FOUND", "/**", "root"})
    void aRequestWithoutARouteIsUnmatched(String uri) {
        meters.timer("http.server.requests", "method", "GET", "uri", uri, "status", "404")
                .record(Duration.ofMillis(1));

        assertThat(recorded).containsExactly("GET unmatched 404 PT0.001S");
    }

    @Test
    void aStatusThatIsNotToldIsTakenAsSuccess() {
        meters.timer("http.server.requests", "method", "GET", "uri", "/a").record(Duration.ofMillis(1));
        meters.timer("http.server.requests", "method", "GET", "uri", "/a", "status", "CLIENT_ERROR")
                .record(Duration.ofMillis(2));

        assertThat(recorded).containsExactly("GET /a 200 PT0.001S", "GET /a 200 PT0.002S");
    }

    @Test
    void otherMetersAreIgnored() {
        meters.timer("jdbc.queries", "method", "GET", "uri", "/a", "status", "200")
                .record(Duration.ofMillis(1));
        meters.counter("http.server.requests.count").increment();
        meters.gauge("some.gauge", 5);
        meters.summary("http.request.size").record(1);

        assertThat(recorded).isEmpty();
    }

    /** Writes down what it is told. */
    private record Notes(List<String> notes) implements Recorder {
        @Override
        public void began() {}

        @Override
        public void ended() {}

        @Override
        public void record(String method, String route, int status, Duration took) {
            notes.add(method + " " + route + " " + status + " " + took);
        }

        @Override
        public void record(String method, String route, int status, Duration took, Instant at) {
            notes.add(method + " " + route + " " + status + " " + took + " " + at);
        }
    }
}
