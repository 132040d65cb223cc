package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.embedded.EmbeddedServers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCommandIT {
    @TempDir
    static Path place;

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"create", "list", "revoke"})
    void eachExplainsItself(String command) {
        assertThat(run("token", command, "--help")).isZero();
        assertThat(output.toString()).startsWith("Usage: hotstate token " + command);
    }

    /** The embedded servers are started for the first call alone; the others join those that run. */
    @Test
    void tokensAreMadeListedAndRevokedWhetherTheServersRunOrNot() throws Exception {
        var data = place.resolve("data").toString();
        assertThat(run("token", "create", "ops", "--role", "admin", "--data", data))
                .isZero();
        assertThat(output.toString().strip()).matches("\\S{20,}");

        try (var servers = new EmbeddedServers(Settings.load(place, Map.of(), Map.of("--data", data)))) {
            servers.start();
            var made = json("token", "create", "ci", "--role", "viewer", "--expires", "30d", "--json", "--data", data);
            assertThat(made.get("token").asText()).isNotEmpty();
            assertThat(made.get("expires_at").isNull()).isFalse();

            var listed = json("token", "list", "--json", "--data", data);
            assertThat(listed.findValuesAsText("name")).containsExactlyInAnyOrder("ops", "ci");
            assertThat(listed.findValues("token")).as("secrets are shown once").isEmpty();

            var id = made.get("id").asText();
            assertThat(run("token", "revoke", id, "--data", data)).isZero();
            assertThat(run("token", "revoke", id, "--data", data)).isEqualTo(1);

            refused("there is a token named \"ops\" already", "create", "ops", "--role", "viewer", "--data", data);
            refused("boss", "create", "x", "--role", "boss", "--data", data);
            refused("soon", "create", "x", "--role", "viewer", "--expires", "soon", "--data", data);
            var wrong = servers.postgresUrl().text().replaceFirst("password=[^&]+", "password=hush");
            refused("refuses the password of user", "list", "--postgres", wrong, "--redis", "redis://127.0.0.1:1");
        }
    }

    private void refused(String reason, String... words) {
        errors.getBuffer().setLength(0);
        var line = new ArrayList<>(List.of("token"));
        line.addAll(List.of(words));
        assertThat(run(line.toArray(String[]::new))).isEqualTo(2);
        assertThat(errors.toString().lines())
                .singleElement()
                .asString()
                .startsWith("hotstate: ")
                .contains(reason)
                .doesNotContain("hush")
                .doesNotContain("Exception");
    }

    private JsonNode json(String... words) throws Exception {
        output.getBuffer().setLength(0);
        assertThat(run(words)).isZero();
        return new JsonMapper().readTree(output.toString());
    }

    private int run(String... words) {
        return Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(errors, true))
                .execute(words);
    }
}
