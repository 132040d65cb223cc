package dev.hotstate.server.limits;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits while Redis or PostgreSQL is away. */
class LimitsOutageIT {
    private static final String RULES = """
            - {id: open, algorithm: fixed_window, limit: 1, window: 10m}
            - {id: closed, algorithm: fixed_window, limit: 1, window: 10m, on_error: closed}
            - {id: alone, algorithm: token_bucket, limit: 2, window: 10m, on_error: local}
            """;
    private RedisServer redis;
    private TcpProxy proxy;
    private PostgresServer postgres;
    private RunningServer server;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        proxy = TcpProxy.to(redis.port());
        postgres = PostgresServer.start();
        server = RunningServer.on(
                "redis://127.0.0.1:" + proxy.port(),
                postgres.freshDatabase(),
                Map.of(
                        "HOTSTATE_POSTGRES_TIMEOUT", "1s",
                        "HOTSTATE_REDIS_TIMEOUT", "1s",
                        "HOTSTATE_HTTP_RATE_LIMIT", "1000"));
        assertThat(apply(RULES).statusCode()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        server.close();
        assertThat(redis.keys())
                .filteredOn(LimitsOutageIT::isOfLimits)
                .isNotEmpty()
                .allSatisfy(key -> {
                    assertThat(redis.commands().pttl(key)).as(key).isPositive();
                });
        proxy.close();
        redis.close();
        postgres.close();
    }

    @Test
    void withoutRedisEachRuleDecidesAsItSaysAndRedisDecidesAgainWhenItIsBack() {
        assertThat(check("open", "ann").statusCode()).isEqualTo(200);
        proxy.cut();
        eachRuleDecidesAsItSays();
        assertThat(server.get("/limits/open/ann").statusCode())
                .as("nobody knows how a subject stands")
                .isEqualTo(503);
        assertThat(server.get("/limits/top").statusCode()).isEqualTo(503);
        assertThat(server.post("/limits/refund", "{\"checks\":[{\"rule\":\"open\",\"subject\":\"ann\"}]}")
                        .statusCode())
                .as("nothing is given back")
                .isEqualTo(503);
        assertThat(server.call("PUT", "/limits/rules", "[]", "Content-Type", "application/json")
                        .statusCode())
                .as("rules need PostgreSQL alone")
                .isEqualTo(200);
        assertThat(apply(RULES).statusCode()).isEqualTo(200);

        proxy.restore();
        Eventually.until(
                "Redis decides again", () -> decidedBy(check("open", "ben")).equals("redis"));
        Eventually.until(
                "what was spent before is still spent",
                () -> check("open", "ann").statusCode() == 429);
    }

    @Test
    void aRedisThatHangsIsAsGoodAsNone() {
        assertThat(check("open", "ann").statusCode()).isEqualTo(200);
        proxy.blackhole();
        eachRuleDecidesAsItSays();
        proxy.restore();
        Eventually.until(
                "Redis decides again", () -> decidedBy(check("open", "carl")).equals("redis"));
    }

    @Test
    void withoutPostgresTheLastKnownRulesStay() {
        assertThat(check("open", "ann").statusCode()).isEqualTo(200);
        postgres.kill();
        assertThat(check("open", "ann").statusCode()).isEqualTo(429);
        assertThat(apply(RULES).statusCode()).isEqualTo(503);
        Eventually.until(
                "health tells it",
                () -> server.part("limits").get("status").asText().equals("degraded"));
        assertThat(check("open", "dora").statusCode()).isEqualTo(200);
        assertThat(server.json("/limits/rules").get("items")).hasSize(3);

        postgres.restart();
        Eventually.until(
                "it is followed again",
                () -> server.part("limits").get("status").asText().equals("up"));
        assertThat(apply("[]").statusCode()).isEqualTo(200);
        assertThat(check("open", "ann").statusCode()).isEqualTo(400);
    }

    private void eachRuleDecidesAsItSays() {
        for (int i = 0; i < 3; i++) {
            var open = check("open", "eve");
            assertThat(open.statusCode()).isEqualTo(200);
            assertThat(decidedBy(open)).isEqualTo("open");
        }
        var closed = check("closed", "eve");
        assertThat(closed.statusCode()).isEqualTo(503);
        assertThat(decidedBy(closed)).isEqualTo("closed");
        assertThat(closed.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(tree(closed).get("allowed").asBoolean()).isFalse();
        assertThat(check("alone", "eve").statusCode()).isEqualTo(200);
        assertThat(check("alone", "eve").statusCode()).isEqualTo(200);
        var alone = check("alone", "eve");
        assertThat(alone.statusCode()).isEqualTo(429);
        assertThat(decidedBy(alone)).isEqualTo("local");
    }

    private static boolean isOfLimits(String key) {
        return key.contains(":rate_limit:") || key.contains(":sliding_limit:") || key.contains(":limits:");
    }

    private HttpResponse<String> apply(String yaml) {
        return server.call("PUT", "/limits/rules", yaml, "Content-Type", "application/yaml");
    }

    private HttpResponse<String> check(String rule, String subject) {
        return server.post(
                "/limits/check", "{\"checks\":[{\"rule\":\"%s\",\"subject\":\"%s\"}]}".formatted(rule, subject));
    }

    private static String decidedBy(HttpResponse<String> answer) {
        return tree(answer).at("/checks/0/decided_by").asText();
    }
}
