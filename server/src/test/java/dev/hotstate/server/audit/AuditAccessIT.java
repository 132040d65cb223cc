package dev.hotstate.server.audit;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may have audits made and read, and what is answered when none can be made. */
@ExtendWith(Testkit.class)
class AuditAccessIT {
    @Test
    void aRoleMayDoWhatItSays(RedisServer redis, PostgresDatabase database) {
        Map<String, String> tokens = new HashMap<>();
        try (var open = RunningServer.on(redis.uri(), database)) {
            assertThat(open.get("/audit").statusCode()).as("none was made yet").isEqualTo(404);
            for (var role : List.of("admin", "operator", "viewer", "agent")) {
                var made = open.post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(role, role));
                tokens.put(role, tree(made).get("token").asText());
            }
        }
        try (var guarded = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_AUTH_TOKENS", "required"))) {
            assertThat(guarded.post("/audit", "").statusCode()).isEqualTo(401);
            assertThat(guarded.get("/audit").statusCode()).isEqualTo(401);
            for (var role : List.of("viewer", "agent")) {
                assertThat(status(guarded, "POST", "/audit", tokens.get(role)))
                        .as(role)
                        .isEqualTo(403);
            }
            for (var role : List.of("operator", "admin")) {
                assertThat(status(guarded, "POST", "/audit", tokens.get(role)))
                        .as(role)
                        .isIn(200, 202);
            }
            Eventually.until("there is a report", () -> status(guarded, "GET", "/audit", tokens.get("viewer")) == 200);
            for (var path : List.of("/audit", "/audit/history")) {
                for (var role : List.of("admin", "operator", "viewer")) {
                    assertThat(status(guarded, "GET", path, tokens.get(role)))
                            .as(role + path)
                            .isEqualTo(200);
                }
                assertThat(status(guarded, "GET", path, tokens.get("agent")))
                        .as("agent" + path)
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void whileRedisIsAwayNoneIsMadeAndTheLastIsStillThere(PostgresDatabase database) {
        try (var redis = RedisServer.start();
                var server = RunningServer.on(redis.uri(), database)) {
            Eventually.until("one is made", () -> server.post("/audit", "").statusCode() == 200);
            var last = server.json("/audit");

            redis.kill();

            var answer = server.post("/audit", "");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(tree(answer).path("detail").asText()).contains("Redis or PostgreSQL did not answer");
            assertThat(server.json("/audit")).isEqualTo(last);

            redis.restart();
            Eventually.until("another is made", () -> server.post("/audit", "").statusCode() == 200);
        }
    }

    private static int status(RunningServer server, String method, String path, String token) {
        return server.call(method, path, "", "Authorization", "Bearer " + token).statusCode();
    }
}
