package dev.hotstate.server.http.ops;

import static dev.hotstate.server.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.http.Authenticator;
import dev.hotstate.server.http.Caller;
import dev.hotstate.server.http.HttpOptions;
import dev.hotstate.server.http.HttpServer;
import dev.hotstate.server.http.Role;
import dev.hotstate.server.http.TestServer;
import dev.hotstate.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventsIT {
    private final EventsInMemory events = new EventsInMemory();
    private volatile HealthReport redis = HealthReport.of(HealthStatus.UP, "It answers.");
    private volatile boolean revoked;
    private TestServer server = open(HttpOptions.onLoopback(0));

    private TestServer open(HttpOptions options) {
        var health = new Health(List.of(new HealthPart("redis", true, () -> redis)), InstantSource.system());
        var routes = new EventRoutes(events, health, Set.of("jobs", "monitors", "system"), 2);
        var authenticator = new Authenticator() {
            @Override
            public Optional<Caller> byToken(String token) {
                return revoked ? Optional.empty() : Optional.of(new Caller(Role.VIEWER, "test"));
            }

            @Override
            public Optional<Caller> bySession(String cookie) {
                return Optional.empty();
            }

            @Override
            public boolean hasTokens() {
                return true;
            }
        };
        return new TestServer(HttpServer.start(options, List.of(routes), authenticator, HttpServer.Hooks.NONE));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void eventsOfTheWantedTopicsCome() throws Exception {
        try (var listener = listen("?topics=jobs")) {
            events.happen("monitors.changed", "{\"id\":\"m\"}");
            events.happen("jobs.done", "{\"id\":\"j\"}");
            assertThat(listener.event()).isEqualTo("id: 2|event: jobs.done|data: {\"id\":\"j\"}");
        }
    }

    @Test
    void aStreamGoesOnWhereItWasCut() throws Exception {
        events.happen("jobs.done", "1");
        events.happen("jobs.done", "2");
        events.happen("jobs.done", "3");
        try (var listener = listen("?topics=jobs", "Last-Event-ID", "1")) {
            assertThat(listener.event()).contains("data: 2");
            assertThat(listener.event()).contains("data: 3");
        }
    }

    @Test
    void whatIsNoLongerKeptBeginsWithAReset() throws Exception {
        for (int i = 1; i <= 10; i++) {
            events.happen("jobs.done", String.valueOf(i));
        }
        try (var listener = listen("?topics=jobs", "Last-Event-ID", "2")) {
            assertThat(listener.event()).contains("event: reset");
            assertThat(listener.event()).contains("data: 8");
        }
    }

    @Test
    void anUnknownTopicIsRefused() {
        var answer = server.get("/events?topics=jobs,weather");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(tree(answer).at("/errors/0/field").asText()).isEqualTo("topics");
        assertThat(tree(answer).at("/errors/0/message").asText()).isEqualTo("must be some of jobs, monitors, system");
    }

    @Test
    void anAbsurdLastEventIdIsRefused() {
        assertThat(server.get("/events?topics=jobs", "Last-Event-ID", "x".repeat(600))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void headEndsAtOnce() {
        var answer = server.call("HEAD", "/events?topics=jobs", "");
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
    }

    @Test
    void healthIsToldAtOnceAndWhenItChanges() throws Exception {
        try (var listener = listen("?topics=system")) {
            assertThat(listener.event()).startsWith("event: system.health|data: {\"status\":\"up\"");
            redis = HealthReport.of(HealthStatus.DOWN, "It is gone.");
            assertThat(listener.eventWith("down")).startsWith("event: system.health|data: {\"status\":\"down\"");
        }
    }

    @Test
    void healthIsToldWhileTheSourceOfEventsIsAway() throws Exception {
        try (var listener = listen("?topics=jobs,system")) {
            assertThat(listener.event()).contains("system.health");
            events.fail(true);
            redis = HealthReport.of(HealthStatus.DOWN, "It is gone.");
            assertThat(listener.eventWith("gone")).contains("system.health");
            events.fail(false);
            assertThat(listener.eventWith("reset")).contains("event: reset");
            events.happen("jobs.done", "\"again\"");
            assertThat(listener.eventWith("again")).contains("jobs.done");
        }
    }

    @Test
    void onlySoManyMayListen() throws Exception {
        try (var one = listen("?topics=jobs");
                var two = listen("?topics=jobs")) {
            var third = server.get("/events?topics=jobs");
            assertThat(third.statusCode()).isEqualTo(503);
            assertThat(third.headers().firstValue("Retry-After")).isPresent();
            assertThat(one).isNotSameAs(two);
        }
    }

    @Test
    void aClientThatLeavesFreesItsPlaceAndItsSubscription() throws Exception {
        listen("?topics=jobs").close();
        awaitSubscribers(0);
    }

    @Test
    void stoppingTheServerEndsItsStreams() throws Exception {
        try (var listener = listen("?topics=jobs")) {
            server.stop();
            assertThat(listener.rest()).isEmpty();
        }
    }

    @Test
    void aRevokedTokenEndsItsStream() throws Exception {
        server.close();
        server = open(HttpOptions.onLoopback(0).withTokensRequired());
        try (var listener = listen("?topics=system", "Authorization", "Bearer any")) {
            assertThat(listener.event()).contains("system.health");
            revoked = true;
            assertThat(listener.untilTheEnd()).isNotNegative();
        }
    }

    private void awaitSubscribers(int wanted) {
        Eventually.until(wanted + " are subscribed", () -> {
            // Something must be written before a lost client is noticed.
            events.happen("jobs.done", "0");
            return events.subscribers() == wanted;
        });
    }

    private Listener listen(String query, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.url() + "/events" + query));
        if (headers.length > 0) {
            request.headers(headers);
        }
        int before = events.subscribers();
        var answer = server.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
        Eventually.until("it is subscribed", () -> events.subscribers() > before);
        return new Listener(new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8)));
    }

    private record Listener(BufferedReader lines) implements AutoCloseable {
        /** The next event, its lines joined by |; comments and what is no event are passed over. */
        String event() throws IOException {
            var event = new StringBuilder();
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() && event.indexOf("data:") >= 0) {
                    return event.toString();
                }
                if (!line.isEmpty() && !line.startsWith(":") && !line.startsWith("retry:")) {
                    event.append(event.isEmpty() ? "" : "|").append(line);
                }
            }
            throw new IOException("the stream ended");
        }

        String eventWith(String text) throws IOException {
            var event = event();
            while (!event.contains(text)) {
                event = event();
            }
            return event;
        }

        List<String> rest() throws IOException {
            return lines.lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith(":") && !line.startsWith("retry:"))
                    .toList();
        }

        long untilTheEnd() {
            return lines.lines().count();
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
