package dev.hotstate.server.limits;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server's own limit on its callers. */
@ExtendWith(Testkit.class)
class RequestLimitIT {
    private static final int MANY = 200;

    private final RedisServer redis;
    private final PostgresDatabase database;

    RequestLimitIT(RedisServer redis, PostgresDatabase database) {
        this.redis = redis;
        this.database = database;
    }

    @Test
    void whoSendsTooMuchIsRefusedAndOthersAreNot() {
        var limited = Map.of("HOTSTATE_HTTP_RATE_LIMIT", "5", "HOTSTATE_AUTH_TOKENS", "required");
        try (var open = RunningServer.on(redis.uri(), database);
                var server = RunningServer.on(redis.uri(), database, limited)) {
            var greedy = token(open, "greedy");
            var calm = token(open, "calm");
            var answers = calls(server, greedy);
            var refused = answers.stream()
                    .filter(answer -> answer.statusCode() == 429)
                    .toList();
            assertThat(answers).filteredOn(answer -> answer.statusCode() == 200).isNotEmpty();
            assertThat(refused).isNotEmpty().allSatisfy(answer -> {
                assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
                assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
                assertThat(answer.headers().firstValue("RateLimit-Policy")).hasValue("\"requests\";q=5;w=1");
                assertThat(answer.headers().firstValue("RateLimit").orElseThrow())
                        .startsWith("\"requests\";r=0;t=");
                assertThat(tree(answer).get("type").asText()).isEqualTo("urn:hotstate:problem:too-many-requests");
            });
            assertThat(server.get("/limits/rules", "Authorization", "Bearer " + calm)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(redis.keys()).noneMatch(key -> key.contains(greedy) || key.contains(calm));
        }
    }

    @Test
    void whoIsLimitedCanBeLookedAtAndReset() {
        var limited = Map.of("HOTSTATE_HTTP_RATE_LIMIT", "20", "HOTSTATE_AUTH_TOKENS", "required");
        try (var open = RunningServer.on(redis.uri(), database);
                var server = RunningServer.on(redis.uri(), database, limited)) {
            var auth = "Bearer " + token(open, "busy", "operator");
            server.get("/limits/rules", "Authorization", auth);
            var own = tree(server.get("/limits/requests/token:busy", "Authorization", auth));
            assertThat(own.get("rule").asText()).isEqualTo("requests");
            assertThat(own.get("limit").asLong()).isEqualTo(20);
            assertThat(own.get("remaining").asLong()).as("a slice is taken").isLessThan(20);
            assertThat(server.call("DELETE", "/limits/requests/token:busy", "", "Authorization", auth)
                            .statusCode())
                    .isEqualTo(204);
            assertThat(open.get("/limits/requests/token:busy").statusCode())
                    .as("it has no limit of its own")
                    .isEqualTo(404);
        }
    }

    @Test
    void whoTriesTokensIsLimitedByHisAddress() {
        var limited = Map.of("HOTSTATE_HTTP_RATE_LIMIT", "5", "HOTSTATE_AUTH_TOKENS", "required");
        try (var server = RunningServer.on(redis.uri(), database, limited)) {
            var statuses = IntStream.range(0, MANY)
                    .mapToObj(i -> server.get("/limits/rules", "Authorization", "Bearer hs_guess" + i)
                            .statusCode())
                    .toList();
            assertThat(statuses).contains(401, 429).containsOnly(401, 429);
        }
    }

    @Test
    void onLoopbackThereIsNoLimitUnlessItIsAskedFor() {
        for (var off : Stream.of(Map.<String, String>of(), Map.of("HOTSTATE_HTTP_RATE_LIMIT", "0"))
                .toList()) {
            redis.flushAll();
            try (var server = RunningServer.on(redis.uri(), database, off)) {
                assertThat(server.get("/limits/rules").headers().firstValue("RateLimit"))
                        .isEmpty();
                assertThat(redis.keys()).noneMatch(key -> key.contains(":requests:"));
            }
        }
    }

    private static List<HttpResponse<String>> calls(RunningServer server, String token) {
        var answers = new ArrayList<HttpResponse<String>>();
        for (int i = 0; i < MANY; i++) {
            answers.add(server.get("/limits/rules", "Authorization", "Bearer " + token));
        }
        return answers;
    }

    private static String token(RunningServer server, String name) {
        return token(server, name, "viewer");
    }

    private static String token(RunningServer server, String name, String role) {
        return tree(server.post("/tokens", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\"}"))
                .get("token")
                .asText();
    }
}
