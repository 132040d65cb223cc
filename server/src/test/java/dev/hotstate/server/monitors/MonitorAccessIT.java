package dev.hotstate.server.monitors;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what with monitors. */
@ExtendWith(Testkit.class)
class MonitorAccessIT {
    private static final Map<String, String> TOKENS = new HashMap<>();
    private static RunningServer guarded;
    private static String pingPath;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        try (var open = RunningServer.on(redis.uri(), database)) {
            var client = new MonitorsClient(open);
            var ping = client.create("{'id':'job','name':'Job','type':'push'}")
                    .get("ping_url")
                    .asText();
            pingPath = ping.substring(open.url().length());
            client.send("PUT", "/channels/c", "{'type':'webhook','url':'http://127.0.0.1:1/'}");
            for (var role : List.of("admin", "operator", "viewer", "agent")) {
                var made = open.post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(role, role));
                TOKENS.put(role, tree(made).get("token").asText());
            }
        }
        guarded = RunningServer.on(
                redis.uri(),
                database,
                Map.of(
                        "HOTSTATE_AUTH_TOKENS", "required",
                        "HOTSTATE_MONITORS_PUBLIC_URL", "https://status.example.org/"));
    }

    @AfterAll
    static void stop() {
        guarded.close();
    }

    @ParameterizedTest
    @CsvSource({"admin, 200, true", "operator, 200, true", "viewer, 200, false", "agent, 403, false"})
    void aRoleMayDoWhatItSays(String role, int read, boolean writes) {
        for (var path : List.of(
                "/monitors",
                "/monitors/summary",
                "/monitors/job",
                "/monitors/job/history",
                "/monitors/job/uptime",
                "/incidents",
                "/deliveries",
                "/maintenance",
                "/channels",
                "/channels/c")) {
            assertThat(status("GET", path, role)).as(path).isEqualTo(read);
        }
        for (var call : List.of(
                "POST /monitors",
                "PUT /monitors",
                "PUT /monitors/job",
                "PATCH /monitors/job",
                "DELETE /monitors/none",
                "POST /monitors/none/check",
                "POST /monitors/none/pause",
                "POST /monitors/none/resume",
                "POST /incidents/1/ack",
                "POST /deliveries/1/replay",
                "POST /maintenance",
                "DELETE /maintenance/none",
                "PUT /channels/c",
                "DELETE /channels/none",
                "POST /channels/none/test")) {
            var words = call.split(" ");
            assertThat(status(words[0], words[1], role) == 403).as(call).isNotEqualTo(writes);
        }
    }

    @Test
    void whereAJobReportsIsForThoseWhoMayWrite() {
        assertThat(monitor("operator")).contains("\"ping_url\":\"https://status.example.org" + pingPath + "\"");
        assertThat(monitor("viewer")).contains("\"ping_url\":null").doesNotContain(pingPath);
    }

    @Test
    void pingsBadgesAndTheStatusPageNeedNoToken() {
        for (var path : List.of(pingPath, pingPath + "/start", "/status-page", "/badge/job.svg")) {
            assertThat(guarded.get(path).statusCode()).as(path).isEqualTo(200);
        }
        assertThat(guarded.get("/monitors").statusCode()).isEqualTo(401);
        assertThat(guarded.get("/incidents").statusCode()).isEqualTo(401);
    }

    private static String monitor(String role) {
        return guarded.get("/monitors/job", "Authorization", "Bearer " + TOKENS.get(role))
                .body();
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
