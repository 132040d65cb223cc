package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code hotstate limits apply}, against a running server. */
@ExtendWith(Testkit.class)
class LimitsCommandIT {
    private static final String LOGIN = "- {id: login, algorithm: fixed_window, limit: 5, window: 1m}\n";
    private static final String API = "- {id: api, algorithm: sliding_log, limit: 9, window: 1m}\n";
    private static RedisServer redis;
    private static PostgresDatabase database;
    private static RunningServer server;

    @TempDir
    private Path folder;

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @BeforeAll
    static void start(RedisServer startedRedis, PostgresDatabase startedDatabase) {
        redis = startedRedis;
        database = startedDatabase;
        server = RunningServer.on(redis.uri(), database);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void clear() {
        server.call("PUT", "/limits/rules", "[]", "Content-Type", "application/json");
    }

    @Test
    void itExplainsItself() {
        assertThat(run("limits", "apply", "--help")).isZero();
        assertThat(output.toString())
                .startsWith("Usage: hotstate limits apply")
                .contains("--dry-run", "HOTSTATE_TOKEN");
        assertThat(run("limits")).isEqualTo(2);
    }

    @Test
    void aDryRunShowsWhatWouldChangeAndChangesNothing() throws Exception {
        server.call("PUT", "/limits/rules", LOGIN + API, "Content-Type", "application/yaml");
        var version = server.json("/limits/rules").get("version").asLong();
        var file = file("rules.yaml", LOGIN.replace("5", "7") + LOGIN.replace("login", "new"));

        assertThat(run("limits", "apply", file, "--dry-run", "--url", server.url()))
                .isZero();
        assertThat(output.toString().lines())
                .containsExactly(
                        "+ new",
                        "~ login  limit 5 -> 7",
                        "- api",
                        "1 created, 1 updated, 1 deleted, 0 unchanged; nothing was applied, the rules stay at version "
                                + version);
        assertThat(server.json("/limits/rules").get("items")).hasSize(2);
    }

    @Test
    void aFileIsAppliedAndAppliedAgainToNoEffect() throws Exception {
        var file = file("rules.yaml", LOGIN + API);
        assertThat(run("limits", "apply", file, "--url", server.url() + "/")).isZero();
        assertThat(output.toString()).startsWith("+ api\n+ login\n2 created");
        assertThat(server.json("/limits/rules").get("items")).hasSize(2);

        output.getBuffer().setLength(0);
        assertThat(run("limits", "apply", file, "--url", server.url(), "--json"))
                .isZero();
        var report = new JsonMapper().readTree(output.toString());
        assertThat(report.get("unchanged").asInt()).isEqualTo(2);
        assertThat(report.get("created")).isEmpty();
    }

    @Test
    void jsonIsReadAsJson() throws Exception {
        var file =
                file("rules.json", "[{\"id\":\"login\",\"algorithm\":\"fixed_window\",\"limit\":5,\"window\":\"1m\"}]");
        assertThat(run("limits", "apply", file, "--url", server.url())).isZero();
        assertThat(server.json("/limits/rules").at("/items/0/id").asText()).isEqualTo("login");
    }

    @Test
    void badRulesAreToldByTheirFieldsAndNothingIsApplied() throws Exception {
        var file = file("rules.yaml", LOGIN + LOGIN.replace("5", "0"));
        assertThat(run("limits", "apply", file, "--url", server.url())).isEqualTo(1);
        assertThat(errors.toString().lines())
                .containsExactly(
                        "hotstate: [1].limit must be 1 to 1000000000, not 0",
                        "hotstate: [1].id \"login\" is given twice");
        assertThat(output.toString()).isEmpty();
        assertThat(server.json("/limits/rules").get("items")).isEmpty();
    }

    @Test
    void whatCannotRunIsOneSentence() throws Exception {
        var file = file("rules.yaml", LOGIN);
        couldNotRun("does not answer", "limits", "apply", file, "--url", "http://127.0.0.1:1");
        couldNotRun(
                "cannot be read", "limits", "apply", folder.resolve("none.yaml").toString());
        couldNotRun("must be an address", "limits", "apply", file, "--url", "here");
    }

    @Test
    void whereTokensAreNeededOneIsShown() throws Exception {
        var made = server.post("/tokens", "{\"name\":\"deploy\",\"role\":\"operator\"}");
        var token = RunningServer.tree(made).get("token").asText();
        var file = file("rules.yaml", LOGIN);
        try (var guarded = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_AUTH_TOKENS", "required"))) {
            couldNotRun("answered 401", "limits", "apply", file, "--url", guarded.url());
            couldNotRun("answered 401", "limits", "apply", file, "--url", guarded.url(), "--token", "hs_wrong");
            assertThat(errors.toString()).doesNotContain("hs_wrong");
            assertThat(run("limits", "apply", file, "--url", guarded.url(), "--token", token))
                    .isZero();
            assertThat(guarded.get("/limits/rules", "Authorization", "Bearer " + token)
                            .body())
                    .contains("\"created_by\":\"deploy\"");
        }
    }

    private void couldNotRun(String reason, String... words) {
        errors.getBuffer().setLength(0);
        assertThat(run(words)).isEqualTo(2);
        assertThat(errors.toString().lines())
                .singleElement()
                .asString()
                .startsWith("hotstate: ")
                .contains(reason)
                .doesNotContain("Exception");
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private int run(String... words) {
        return Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(errors, true))
                .execute(words);
    }
}
