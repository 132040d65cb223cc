package dev.hotstate.server.limits;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what with limits. */
@ExtendWith(Testkit.class)
class LimitAccessIT {
    private static final String RULES = "[{\"id\":\"r\",\"algorithm\":\"fixed_window\",\"limit\":9,\"window\":\"1m\"}]";
    private static final String CALL = "{\"checks\":[{\"rule\":\"r\",\"subject\":\"s\"}]}";
    private static final Map<String, String> TOKENS = new HashMap<>();
    private static RunningServer guarded;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        try (var open = RunningServer.on(redis.uri(), database)) {
            open.call("PUT", "/limits/rules", RULES, "Content-Type", "application/json");
            for (var role : List.of("admin", "operator", "viewer", "agent")) {
                var made = open.post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(role, role));
                TOKENS.put(role, tree(made).get("token").asText());
            }
        }
        guarded = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_AUTH_TOKENS", "required"));
    }

    @AfterAll
    static void stop() {
        guarded.close();
    }

    @ParameterizedTest
    @CsvSource({
        "admin,    200, 200, 204, 200, 204",
        "operator, 200, 200, 204, 200, 204",
        "viewer,   403, 403, 403, 200, 403",
        "agent,    403, 200, 204, 403, 403",
    })
    void aRoleMayDoWhatItSays(String role, int apply, int check, int refund, int look, int reset) {
        var token = TOKENS.get(role);
        assertThat(status("PUT", "/limits/rules", RULES, token)).isEqualTo(apply);
        assertThat(status("POST", "/limits/check", CALL, token)).isEqualTo(check);
        assertThat(status("POST", "/limits/refund", CALL, token)).isEqualTo(refund);
        for (var path : List.of("/limits/rules", "/limits/top", "/limits/rates", "/limits/r/s")) {
            assertThat(status("GET", path, "", token)).as(path).isEqualTo(look);
        }
        assertThat(status("DELETE", "/limits/r/s", "", token)).isEqualTo(reset);
    }

    private static int status(String method, String path, String body, String token) {
        return guarded.call(method, path, body, "Authorization", "Bearer " + token, "Content-Type", "application/json")
                .statusCode();
    }
}
