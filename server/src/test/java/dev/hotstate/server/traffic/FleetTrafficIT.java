package dev.hotstate.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.server.auth.Creation;
import dev.hotstate.server.auth.NewToken;
import dev.hotstate.server.auth.Tokens;
import dev.hotstate.server.http.Role;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers that count their own requests and add up to one fleet. */
@ExtendWith(Testkit.class)
class FleetTrafficIT {
    private RedisServer redis;
    private PostgresDatabase database;

    @BeforeEach
    void begin(RedisServer shared, PostgresServer postgres) {
        redis = shared;
        redis.flushAll();
        database = postgres.freshDatabase();
    }

    @Test
    void aServerCountsItsOwnRequestsButNotThoseThatWatch() {
        try (var server = RunningServer.on(redis.uri(), database)) {
            for (int i = 0; i < 7; i++) {
                server.get("/health/live");
            }
            server.get("/nowhere/at/all");
            server.get("/traffic/endpoint?method=GET&route=/nowhere");
            awaitTotal(server, 8);

            var endpoints = server.json("/traffic/endpoints").get("items");
            assertThat(endpoints.findValuesAsText("endpoint")).containsExactly("GET /health/live", "GET unmatched");
            assertThat(endpoints.get(0).get("requests").asLong()).isEqualTo(7);
            assertThat(endpoints.get(1).get("errors").asLong()).isEqualTo(1);
            var traffic = server.json("/traffic");
            assertThat(traffic.at("/errors/by_status/404").asLong()).isEqualTo(1);
            assertThat(traffic.at("/connections/max_since_startup").asLong()).isPositive();
            var instances = server.json("/traffic/instances").get("items");
            assertThat(instances.findValuesAsText("instance")).containsExactly(nameOf(server));
        }
    }

    @Test
    void twoServersAddUp() {
        try (var first = RunningServer.on(redis.uri(), database);
                var second = RunningServer.on(redis.uri(), database)) {
            first.get("/health/live");
            second.get("/health/live");
            second.get("/health/live");
            first.post("/traffic/requests", body("worker-1", 200, 429, 503, 500));
            second.post("/traffic/requests", body("worker-1", 201));

            for (var server : List.of(first, second)) {
                awaitTotal(server, 8);
                var traffic = server.json("/traffic");
                assertThat(traffic.at("/requests/accepted").asLong())
                        .as("all but those refused with 429 or 503")
                        .isEqualTo(6);
                assertThat(traffic.at("/errors/total").asLong()).isEqualTo(3);
                assertThat(traffic.at("/errors/by_status").toString()).isEqualTo("{\"429\":1,\"500\":1,\"503\":1}");
                assertThat(requestsOf(server, "worker-1")).isEqualTo(5);
                Eventually.until(
                        "all are there",
                        () -> server.json("/traffic").get("instances").asLong() >= 3);
            }
            assertThat(fields(first.json("/traffic")))
                    .containsExactly("connections", "requests", "errors", "response_ms", "instances");
            assertThat(fields(first.json("/traffic").get("connections")))
                    .containsExactly("current", "max_since_startup");
            assertThat(fields(first.json("/traffic").get("requests")))
                    .containsExactly("total", "accepted", "speed_per_second", "max_speed_per_second");
            assertThat(fields(first.json("/traffic").get("response_ms")))
                    .containsExactly("avg", "p50", "p90", "p95", "p99");
        }
    }

    @Test
    void whatCameInIsToldAsAnEvent() {
        try (var server = RunningServer.on(redis.uri(), database);
                var events = server.listen("traffic")) {
            server.post("/traffic/requests", body("teller", 200, 500));

            events.awaitInOrder("traffic.counted");
        }
    }

    @Test
    void aServerThatStopsLosesNothingAndIsGone() {
        try (var stays = RunningServer.on(redis.uri(), database)) {
            String gone;
            try (var goes = RunningServer.on(redis.uri(), database)) {
                goes.post("/traffic/requests", body("last-words", 200, 200, 200));
                gone = nameOf(goes);
                Eventually.until("it is live", () -> isLive(stays, gone));
            }
            assertThat(requestsOf(stays, "last-words")).isEqualTo(3);
            assertThat(isLive(stays, gone)).isFalse();
            assertThat(isLive(stays, nameOf(stays))).isTrue();
        }
    }

    @Test
    void onAnOpenAddressLoopbackIsLeftOutAndAnAgentMayReportAndRead() throws Exception {
        var agent = tokenFor(database, Role.AGENT);
        var viewer = tokenFor(database, Role.VIEWER);
        try (var server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_HOST", "0.0.0.0"))) {
            assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
            assertThat(report(server, agent, body("outside", 200, 200))).isEqualTo(200);
            assertThat(report(server, viewer, body("outside", 200))).isEqualTo(403);
            assertThat(server.get("/traffic", "Authorization", "Bearer " + agent)
                            .statusCode())
                    .isEqualTo(200);

            Eventually.until("the report is counted", () -> seenBy(server, viewer) > 0);
            assertThat(seenBy(server, viewer)).as("the report alone").isEqualTo(2);
        }
    }

    @Test
    void switchedOffItHasNoRoutesAndNoTables() throws Exception {
        try (var server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_FEATURES", "limits"));
                var connection = database.connect();
                var tables = connection.getMetaData().getTables(null, null, "traffic_%", null)) {
            assertThat(server.get("/traffic").statusCode()).isEqualTo(404);
            assertThat(tables.next()).isFalse();
        }
    }

    private static String tokenFor(PostgresDatabase database, Role role) {
        try (var store = Database.open(DatabaseOptions.of(RunningServer.urlOf(database)))) {
            store.migrate(List.of(MigrationSet.of("server")));
            var made = Tokens.in(store, InstantSource.system()).create(new NewToken(role.text(), role, null));
            return ((Creation.Created) made).secret();
        }
    }

    private static int report(RunningServer server, String token, String body) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(server.url() + "/traffic/requests"))
                    .headers("Content-Type", "application/json", "Authorization", "Bearer " + token)
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode();
        }
    }

    private static long seenBy(RunningServer server, String token) {
        return RunningServer.tree(server.get("/traffic", "Authorization", "Bearer " + token))
                .at("/requests/total")
                .asLong();
    }

    private static void awaitTotal(RunningServer server, long wanted) {
        Eventually.until(wanted + " requests are counted", () -> total(server) == wanted);
    }

    private static long total(RunningServer server) {
        return server.json("/traffic").at("/requests/total").asLong();
    }

    private static String nameOf(RunningServer server) {
        return server.json("/ui/config.json").get("instance").asText();
    }

    private static boolean isLive(RunningServer server, String instance) {
        for (var item : server.json("/traffic/instances").get("items")) {
            if (item.get("instance").asText().equals(instance)) {
                return item.get("live").asBoolean();
            }
        }
        return false;
    }

    private static long requestsOf(RunningServer server, String instance) {
        for (var item : server.json("/traffic/instances").get("items")) {
            if (item.get("instance").asText().equals(instance)) {
                return item.get("requests").asLong();
            }
        }
        throw new AssertionError("nothing is told of " + instance);
    }

    private static List<String> fields(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }

    private static String body(String instance, int... statuses) {
        var items = new StringBuilder();
        for (int status : statuses) {
            items.append(items.isEmpty() ? "" : ",")
                    .append("{\"method\":\"GET\",\"route\":\"/work\",\"status\":%d,\"ms\":2.5}".formatted(status));
        }
        return "{\"instance\":\"%s\",\"items\":[%s]}".formatted(instance, items);
    }
}
