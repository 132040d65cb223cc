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
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code hotstate jobs}, against a running server. */
@ExtendWith(Testkit.class)
class JobsCommandIT {
    private static RunningServer server;

    @TempDir
    private Path folder;

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_JOBS_SHELL", "true"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aJobIsFollowedToItsEndAndItsLogIsRead() throws Exception {
        assertThat(submit(
                        "id: good\nname: Good\ntasks: [{id: say, run: {shell: 'echo hello; echo there'}}]\n",
                        "--follow"))
                .isZero();
        assertThat(output.toString().lines())
                .startsWith("good")
                .last()
                .asString()
                .startsWith("SUCCEEDED in ");
        assertThat(run("jobs", "logs", "good", "say", "--url", server.url())).isZero();
        assertThat(output.toString().lines().map(line -> line.substring(line.indexOf(' ') + 1)))
                .containsExactly("hello", "there");
        assertThat(run("jobs", "logs", "good", "say", "--follow", "--json", "--url", server.url()))
                .isZero();
        assertThat(output.toString()).contains("\"line\":\"hello\"").contains("\"line\":\"there\"");
        assertThat(run("jobs", "logs", "good", "none", "--url", server.url())).isEqualTo(2);
        assertThat(errors.toString()).contains("404");
    }

    @Test
    void aJobThatFailsOrIsRefusedIsANo() throws Exception {
        assertThat(submit("name: Bad\ntasks: [{id: end, run: {shell: 'exit 7'}}]\n", "--follow"))
                .isEqualTo(1);
        assertThat(output.toString()).contains("end failed: exit code 7", "FAILED");
        assertThat(submit("name: Bad\ntasks: [{id: end, needs: [none]}]\n")).isEqualTo(1);
        assertThat(errors.toString()).startsWith("hotstate: tasks[0].needs[0] ");
        assertThat(submit("id: later\nname: Later\ndelay: 1h\ntasks: [{id: a}]\n", "--json"))
                .isZero();
        assertThat(new JsonMapper().readTree(output.toString()).get("id").asText())
                .isEqualTo("later");
        assertThat(run("jobs")).isEqualTo(2);
    }

    private int submit(String yaml, String... options) throws IOException {
        var file = Files.writeString(folder.resolve("job.yaml"), yaml);
        var arguments = new ArrayList<>(List.of("jobs", "run", file.toString(), "--url", server.url()));
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
