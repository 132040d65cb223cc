package dev.hotstate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server whose Redis and PostgreSQL go away and come back. It is never restarted. */
class OutageIT {
    private static final Logger LOG = LoggerFactory.getLogger(OutageIT.class);

    private static RedisServer redis;
    private static PostgresServer postgres;
    private static RunningServer server;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        postgres = PostgresServer.start();
        server = RunningServer.on(
                redis.uri(),
                postgres.freshDatabase(),
                Map.of("HOTSTATE_POSTGRES_TIMEOUT", "1s", "HOTSTATE_REDIS_TIMEOUT", "250ms"));
    }

    @AfterAll
    static void stop() {
        server.close();
        redis.close();
        postgres.close();
    }

    @Test
    void aKilledRedisIsToldAndItsReturnNoticed() {
        awaitUp();
        redis.kill();

        awaitDown("redis");
        assertThat(server.part("redis").get("detail").asText()).isEqualTo("Redis does not answer.");
        assertThat(server.part("redis").get("figures").has("used_memory_bytes"))
                .as("what nobody told is not shown as zero")
                .isFalse();
        assertThat(server.get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
        assertThat(server.get("/tokens").statusCode())
                .as("PostgreSQL alone is needed")
                .isEqualTo(200);
        assertThat(server.get("/keyspace").statusCode())
                .as("the last count stays")
                .isEqualTo(200);
        try (var events = server.listen("system")) {
            events.awaitInOrder("system.health");
            redis.restart();
            awaitUp();
            events.awaitOrReset("system.partition_ready");
        }
    }

    @Test
    void aRedisThatHangsIsToldAndItsReturnNoticed() {
        awaitUp();
        redis.pause();

        awaitDown("redis");
        assertThat(server.part("redis").get("detail").asText()).isEqualTo("Redis does not answer.");
        assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
        redis.resume();
        awaitUp();
    }

    @Test
    void aKilledPostgresIsToldAndItsReturnNoticed() {
        awaitUp();
        postgres.kill();

        awaitDown("postgres");
        Eventually.until(
                "the reason is told",
                () -> server.part("postgres").get("detail").asText().startsWith("PostgreSQL at localhost:"));
        aCallThatNeedsPostgresIsAnsweredWith503();
        postgres.restart();
        awaitUp();
        assertThat(server.get("/tokens").statusCode()).isEqualTo(200);
    }

    @Test
    void aPostgresThatHangsIsToldAndItsReturnNoticed() {
        awaitUp();
        postgres.pause();

        awaitDown("postgres");
        aCallThatNeedsPostgresIsAnsweredWith503();
        postgres.resume();
        awaitUp();
        assertThat(server.get("/tokens").statusCode()).isEqualTo(200);
    }

    @Test
    void aPoolThatIsFullMakesPostgresDegradedButNotDown() throws Exception {
        var database = postgres.freshDatabase();
        var locked = new AtomicBoolean(true);
        try (var itsRedis = RedisServer.start();
                var narrow = RunningServer.on(itsRedis.uri(), database, Map.of("HOTSTATE_POSTGRES_CONNECTIONS", "2"));
                var askers = Executors.newVirtualThreadPerTaskExecutor();
                var connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("LOCK TABLE api_token IN ACCESS EXCLUSIVE MODE");
            for (int i = 0; i < 4; i++) {
                askers.submit(() -> {
                    while (locked.get()) {
                        narrow.get("/tokens");
                    }
                });
            }

            try {
                Eventually.until("the pool is full", () -> {
                    var shown = narrow.part("postgres");
                    return shown.get("status").asText().equals("degraded")
                            && shown.at("/figures/connections").asInt() == 2;
                });
            } finally {
                locked.set(false);
            }
            connection.rollback();
            Eventually.until(
                    "there is room again",
                    () -> narrow.part("postgres").get("status").asText().equals("up"));
        }
    }

    private static void aCallThatNeedsPostgresIsAnsweredWith503() {
        long begin = System.nanoTime();
        var refused = server.get("/tokens");
        LOG.info("/tokens without PostgreSQL was answered after {} ms", (System.nanoTime() - begin) / 1_000_000);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(RunningServer.tree(refused).get("detail").asText()).isEqualTo("PostgreSQL does not answer now.");
        assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
    }

    private static void awaitDown(String part) {
        var took = Eventually.until(part + " is down", () -> server.health().equals("down"));
        LOG.info("{} was shown as down after {} ms", part, took.toMillis());
        assertThat(server.part(part).get("status").asText()).isEqualTo("down");
    }

    private static void awaitUp() {
        var took = Eventually.until("all is up", () -> server.health().equals("up"));
        LOG.info("all was up after {} ms", took.toMillis());
    }
}
