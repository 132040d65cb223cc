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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code hotstate monitors apply}, against a running server. */
@ExtendWith(Testkit.class)
class MonitorsCommandIT {
    private static final String ONE = "- {id: one, name: One, type: tcp, target: 'a:1', paused: true}\n";
    private static final String TWO = "- {id: two, name: Two, type: tcp, target: 'a:2', paused: true}\n";
    private static RunningServer server;

    @TempDir
    private Path folder;

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(redis.uri(), database);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aFileIsShownThenAppliedThenPruned() throws Exception {
        assertThat(apply(ONE + TWO, "--dry-run")).isZero();
        assertThat(output.toString().lines())
                .containsExactly("+ one", "+ two", "2 created, 0 updated, 0 deleted, 0 unchanged; nothing was applied");
        assertThat(server.json("/monitors").get("items")).isEmpty();

        assertThat(apply(ONE + TWO)).isZero();
        assertThat(apply(ONE.replace("'a:1'", "'a:9'"))).isZero();
        assertThat(output.toString().lines())
                .containsExactly("~ one  target a:1 -> a:9", "0 created, 1 updated, 0 deleted, 0 unchanged; applied");
        assertThat(server.json("/monitors").get("items"))
                .as("nothing is deleted unasked")
                .hasSize(2);

        assertThat(apply(ONE.replace("'a:1'", "'a:9'"), "--prune")).isZero();
        assertThat(output.toString().lines())
                .containsExactly("- two", "0 created, 0 updated, 1 deleted, 1 unchanged; applied");

        assertThat(apply("[]", "--prune", "--json")).isZero();
        assertThat(new JsonMapper().readTree(output.toString()).at("/deleted/0").asText())
                .isEqualTo("one");
    }

    @Test
    void whatIsWrongIsToldLineByLineAndNothingIsApplied() throws Exception {
        assertThat(apply("- {id: fine, name: Fine, type: tcp, target: 'a:1'}\n- {name: Bad, type: smoke}\n"))
                .isEqualTo(1);
        assertThat(errors.toString()).startsWith("hotstate: [1].type must be one of http");
        assertThat(server.get("/monitors/fine").statusCode()).isEqualTo(404);
        assertThat(run("monitors", "apply", folder.resolve("none.yaml").toString(), "--url", server.url()))
                .isEqualTo(2);
        assertThat(run("monitors")).isEqualTo(2);
        assertThat(run("monitors", "apply", "--help")).isZero();
        assertThat(output.toString()).contains("--prune", "--dry-run");
    }

    private int apply(String yaml, String... options) throws IOException {
        var file = Files.writeString(folder.resolve("monitors.yaml"), yaml);
        var arguments = new ArrayList<>(List.of("monitors", "apply", file.toString(), "--url", server.url()));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    private int run(String... arguments) {
        output.getBuffer().setLength(0);
        errors.getBuffer().setLength(0);
        return Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(errors, true))
                .execute(arguments);
    }
}
