package dev.hotstate.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Traffic while Redis or PostgreSQL is away, and after Redis came back empty. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrafficLossIT {
    private static final String CHORES = "dev:hotstate:{s0}:chore:schedule";
    private static final Instant HOUR = Instant.now().truncatedTo(ChronoUnit.HOURS);

    private PostgresServer postgres;
    private RedisServer redis;
    private PostgresDatabase database;
    private RunningServer server;

    @BeforeAll
    void startPostgres() {
        postgres = PostgresServer.start();
    }

    @AfterAll
    void stopPostgres() {
        postgres.close();
    }

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        database = postgres.freshDatabase();
        server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_POSTGRES_TIMEOUT", "1s"));
    }

    @AfterEach
    void stop() {
        server.close();
        redis.close();
    }

    @Test
    void totalsComeBackFromTheCheckpointWhenRedisIsLost() throws SQLException {
        report(25);
        awaitTotal(25);
        dueNow("traffic-checkpoint");
        awaitInPostgres("SELECT totals ->> 'total' FROM traffic_checkpoint", "25");

        redis.flushAll();
        awaitTotal(25);
        report(5);
        awaitTotal(30);
        assertThat(server.json("/traffic/endpoint?method=GET&route=/lost")
                        .get("requests")
                        .asLong())
                .isEqualTo(30);
    }

    @Test
    void anEmptyRedisDoesNotOverwriteTheCheckpoint() throws SQLException {
        report(25);
        awaitTotal(25);
        dueNow("traffic-checkpoint");
        awaitInPostgres("SELECT totals ->> 'total' FROM traffic_checkpoint", "25");

        // The chores are all due at once after a loss, and the checkpoint's among them.
        redis.restartEmpty();
        awaitTotal(25);
        report(1);
        awaitTotal(26);
        dueNow("traffic-checkpoint");
        awaitInPostgres("SELECT totals ->> 'total' FROM traffic_checkpoint", "26");
    }

    @Test
    void whatIsReportedWhileRedisHangsIsCountedOnceItAnswers() {
        report(3);
        awaitTotal(3);
        redis.pause();

        Eventually.until("reads are refused", () -> server.get("/traffic").statusCode() == 503);
        var refused = server.get("/traffic/endpoints");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        report(4);
        assertThat(server.get("/metrics").body()).contains("hotstate_traffic_requests_total NaN");

        redis.resume();
        Eventually.until("reads are answered", () -> server.get("/traffic").statusCode() == 200);
        awaitTotal(3 + 4 + 1);
        assertThat(server.json("/traffic/endpoint?method=GET&route=/lost")
                        .get("requests")
                        .asLong())
                .isEqualTo(7);
    }

    @Test
    void withoutRedisTheHoursAreToldFromPostgres() throws SQLException {
        insert(HOUR.minus(Duration.ofHours(3)), 30);
        redis.kill();
        Eventually.until("Redis is missed", () -> server.get("/traffic").statusCode() == 503);

        assertThat(server.json("/traffic/hourly").get("items").findValuesAsText("requests"))
                .containsExactly("30");
    }

    @Test
    void anHourThatRedisLostComesFromPostgres() throws SQLException {
        report(40);
        awaitTotal(40);
        dueNow("traffic-history");
        awaitInPostgres("SELECT requests FROM traffic_hourly WHERE endpoint = 'GET /lost'", "40");

        redis.restartEmpty();
        Eventually.until("Redis is back", () -> server.get("/traffic/endpoints").statusCode() == 200);
        var hours = server.json("/traffic/hourly").get("items");
        assertThat(hours.findValuesAsText("requests")).contains("40");
    }

    @Test
    void hoursBeyondADayComeFromPostgres() throws SQLException {
        insert(HOUR.minus(Duration.ofDays(40)), 400);
        insert(HOUR.minus(Duration.ofDays(41)), 410);
        insert(HOUR.minus(Duration.ofDays(42)), 420);

        var path = "/traffic/hourly?from=" + HOUR.minus(Duration.ofDays(41)) + "&to=" + HOUR.minus(Duration.ofDays(39));
        var first = server.json(path + "&limit=1");
        assertThat(first.get("items").findValuesAsText("requests")).containsExactly("410");
        var line = first.get("items").get(0);
        assertThat(line.get("hour").asText())
                .isEqualTo(HOUR.minus(Duration.ofDays(41)).toString());
        assertThat(line.get("avg_ms").asDouble()).isEqualTo(0.01);
        assertThat(line.get("p99").asDouble()).isEqualTo(0.01);
        var second =
                server.json(path + "&limit=1&cursor=" + first.get("next_cursor").asText());
        assertThat(second.get("items").findValuesAsText("requests")).containsExactly("400");
        assertThat(second.get("next_cursor").isNull()).isTrue();

        var ever = server.json("/traffic/hourly?from=-1000000000-01-01T00:00:00Z&to=%2B1000000000-12-31T23:00:00Z");
        assertThat(ever.get("items").findValuesAsText("requests")).startsWith("420", "410", "400");
        assertThat(server.json("/traffic/hourly?to=-1000000000-01-01T00:00:00Z")
                        .get("items")
                        .isEmpty())
                .isTrue();
    }

    @Test
    void withoutPostgresTheLastDayIsToldFromRedisAndOlderHoursAreNot() {
        report(6);
        awaitTotal(6);
        postgres.pause();
        try {
            assertThat(server.get("/traffic").statusCode()).isEqualTo(200);
            assertThat(server.json("/traffic/hourly").get("items").findValuesAsText("requests"))
                    .contains("6");
            var old = server.get("/traffic/hourly?from=" + HOUR.minus(Duration.ofDays(40)));
            assertThat(old.statusCode()).isEqualTo(503);
        } finally {
            postgres.resume();
        }
    }

    @Test
    void historyIsForgottenAfterNinetyDays() throws SQLException {
        insert(HOUR.minus(Duration.ofDays(91)), 1);
        insert(HOUR.minus(Duration.ofDays(89)), 2);
        dueNow("traffic-retention");
        awaitInPostgres("SELECT sum(requests) FROM traffic_hourly WHERE hour < now() - interval '2 days'", "2");
    }

    private void report(int requests) {
        var item = "{\"method\":\"GET\",\"route\":\"/lost\",\"status\":200,\"ms\":3}";
        var items = String.join(",", Collections.nCopies(requests, item));
        var answer = server.post("/traffic/requests", "{\"instance\":\"app-1\",\"items\":[" + items + "]}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private void awaitTotal(long wanted) {
        Eventually.until(wanted + " requests are counted", () -> total() == wanted);
    }

    private long total() {
        return server.json("/traffic").at("/requests/total").asLong(-1);
    }

    /** As if its time had come. */
    private void dueNow(String chore) {
        Eventually.until("the chores are scheduled", () -> redis.commands().zscore(CHORES, chore) != null);
        redis.commands().zadd(CHORES, 1, chore);
    }

    private void awaitInPostgres(String sql, String wanted) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.prepareStatement(sql)) {
            Eventually.until(sql + " gives " + wanted, () -> {
                try (var rows = statement.executeQuery()) {
                    return rows.next() && wanted.equals(rows.getString(1));
                } catch (SQLException broken) {
                    throw new AssertionError(broken);
                }
            });
        }
    }

    /** An hour of requests that took 10 µs each. */
    private void insert(Instant hour, int requests) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.prepareStatement("""
                        INSERT INTO traffic_hourly (hour, endpoint, requests, errors, sum_us, histogram)
                        VALUES (?::timestamptz, '', ?, 0, ?, ?)""")) {
            statement.setString(1, hour.toString());
            statement.setInt(2, requests);
            statement.setInt(3, requests * 10);
            statement.setString(4, "10;" + requests);
            statement.executeUpdate();
        }
    }
}
