package dev.hotstate.server.drivers;

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

/** Who may do what with drivers. */
@ExtendWith(Testkit.class)
class DriverAccessIT {
    private static final Map<String, String> TOKENS = new HashMap<>();
    private static RunningServer guarded;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        try (var open = RunningServer.on(redis.uri(), database)) {
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
    @CsvSource({"admin, true, true", "operator, true, true", "agent, true, false", "viewer, false, false"})
    void aRoleMayDoWhatItSays(String role, boolean reports, boolean defines) {
        for (var path : List.of(
                "/drivers",
                "/drivers/summary",
                "/drivers/none",
                "/drivers/available",
                "/drivers/map",
                "/regions",
                "/regions/none")) {
            assertThat(status("GET", path, role)).as(path).isNotIn(401, 403);
        }
        for (var call : List.of(
                "PATCH /drivers/none/location",
                "POST /drivers/locations",
                "PUT /drivers/none",
                "PUT /drivers/none/status",
                "POST /reservations",
                "POST /reservations/none/confirm",
                "DELETE /reservations/none")) {
            assertThat(isForbidden(call, role)).as(call).isNotEqualTo(reports);
        }
        for (var call : List.of("PUT /regions/none", "DELETE /regions/none")) {
            assertThat(isForbidden(call, role)).as(call).isNotEqualTo(defines);
        }
    }

    private static boolean isForbidden(String call, String role) {
        var words = call.split(" ");
        return status(words[0], words[1], role) == 403;
    }

    private static int status(String method, String path, String role) {
        return guarded.call(
                        method,
                        path,
                        "",
                        "Authorization",
                        "Bearer " + TOKENS.get(role),
                        "Content-Type",
                        "application/json")
                .statusCode();
    }
}
