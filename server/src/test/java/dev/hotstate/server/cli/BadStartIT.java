package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every way to start wrongly: one sentence on standard error, the log included, and exit 2. */
@ExtendWith(Testkit.class)
class BadStartIT {
    @TempDir
    Path place;

    private String redis;
    private String postgres;

    @BeforeEach
    void haveServers(RedisServer running, PostgresDatabase database) {
        redis = running.uri();
        postgres = RunningServer.urlOf(database);
    }

    @Test
    void anUnknownKeyNamesTheNearest() throws IOException {
        assertThat(config("prot: 8080\n"))
                .contains("hotstate.yaml")
                .contains("\"prot\"")
                .contains("\"port\"");
    }

    @Test
    void aValueOutOfItsRangeIsNamed() throws IOException {
        assertThat(config("postgres:\n  timeout: 10ms\n"))
                .contains("postgres.timeout is \"10ms\"")
                .endsWith("from 1s to 1h");
    }

    @Test
    void aConfigurationThatIsNoYamlIsRefused() throws IOException {
        assertThat(config("port: [8080\n")).contains("hotstate.yaml");
    }

    @Test
    void aConfigurationFileThatIsNotThereIsRefused() {
        assertThat(up("--config", place.resolve("absent.yaml").toString())).contains("absent.yaml");
    }

    @Test
    void aPrefixThatIsTooLongIsRefusedBeforeServersAreStarted() throws IOException {
        var data = place.resolve("data");
        var file = Files.writeString(place.resolve("stage.yaml"), "env: stage\n");
        assertThat(up("--config", file.toString(), "--data", data.toString(), "--port", "0"))
                .contains("\"stage:hotstate\"", "HOTSTATE_APP", "HOTSTATE_KEY_PREFIX");
        assertThat(data).doesNotExist();
    }

    @Test
    void aBusyPortIsNamed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = String.valueOf(taken.getLocalPort());
            assertThat(up("--redis", redis, "--postgres", postgres, "--port", port))
                    .startsWith("hotstate: cannot listen on 127.0.0.1:" + port);
        }
    }

    @Test
    void anAddressOfAnotherMachineIsRefused() {
        assertThat(up("--redis", redis, "--postgres", postgres, "--host", "192.0.2.1"))
                .startsWith("hotstate: cannot listen on 192.0.2.1");
    }

    @Test
    void aDataFolderThatCannotBeWrittenIsNamed() throws IOException {
        var file = Files.createFile(place.resolve("file"));
        assertThat(up("--data", file.resolve("data").toString(), "--port", "0"))
                .startsWith("hotstate: cannot write the data folder " + file.resolve("data"));
    }

    @Test
    void aWrongRedisPasswordIsToldWithoutShowingIt() {
        try (var guarded = RedisServer.start("requirepass right")) {
            var wrong = guarded.uri().replace(":right@", ":hush@");
            assertThat(up("--redis", wrong, "--postgres", postgres, "--port", "0"))
                    .endsWith("the user or the password is wrong")
                    .doesNotContain("hush");
            var none = guarded.uri().replace(":right@", "");
            assertThat(up("--redis", none, "--postgres", postgres, "--port", "0"))
                    .endsWith("it asks for a password, and the URL has none for it");
        }
    }

    @Test
    void aWrongPostgresUserIsTold() {
        var wrong = postgres.replaceFirst("user=\\w+", "user=nobody");
        assertThat(up("--redis", redis, "--postgres", wrong, "--port", "0")).contains("PostgreSQL at ", "nobody");
    }

    @Test
    void aDatabaseThatIsNotThereIsTold() {
        var wrong = postgres.replaceFirst("/[^/]+\\?", "/nowhere?");
        assertThat(up("--redis", redis, "--postgres", wrong, "--port", "0"))
                .contains("has no database nowhere: create it, or correct the URL.");
    }

    @Test
    void aRedisThatDoesNotListenIsTold() throws IOException {
        var closed = "redis://127.0.0.1:" + closedPort();
        assertThat(up("--redis", closed, "--postgres", postgres, "--port", "0"))
                .isEqualTo("hotstate: cannot use Redis at " + closed.substring(8) + ": nothing listens there");
    }

    @Test
    void aPostgresThatDoesNotListenIsTold() throws IOException {
        var closed = "postgresql://me:hush@127.0.0.1:" + closedPort() + "/db";
        assertThat(up("--redis", redis, "--postgres", closed, "--port", "0"))
                .contains("refuses connections: is it running, and is that its port?")
                .doesNotContain("hush");
    }

    @Test
    void listeningBeyondLoopbackWithoutATokenIsRefused() {
        assertThat(up("--redis", redis, "--postgres", postgres, "--host", "0.0.0.0", "--port", "0"))
                .contains("no token exists", "hotstate token create NAME --role admin");
    }

    /** In a JVM of its own: here the embedded servers were started already, and must be gone with it. */
    @Test
    void aFailedStartStopsTheEmbeddedServersToo() throws Exception {
        var data = place.resolve("data");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classPath = System.getProperty("java.class.path");
        var errors = place.resolve("errors");
        var process = new ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "-cp", classPath, Main.class.getName(), "up")
                .redirectError(errors.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        process.command().addAll(List.of("--data", data.toString(), "--host", "0.0.0.0", "--port", "0"));
        process.environment().put("HOTSTATE_LOG_LEVEL", "warn");
        var child = process.start();
        try {
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            child.destroyForcibly();
        }

        assertThat(child.exitValue()).isEqualTo(2);
        assertThat(Files.readAllLines(errors)).singleElement().asString().startsWith("hotstate: others can reach");
        var folder = data.toString();
        assertThat(ProcessHandle.allProcesses()
                        .filter(other -> other.info().commandLine().orElse("").contains(folder)))
                .isEmpty();
    }

    private String config(String yaml) throws IOException {
        var file = Files.writeString(place.resolve("hotstate.yaml"), yaml);
        return up("--config", file.toString());
    }

    /** The one line that a start says on standard error. */
    private static String up(String... options) {
        var arguments = new ArrayList<>(List.of("up"));
        arguments.addAll(List.of(options));
        var errors = new ByteArrayOutputStream();
        var before = System.err;
        int exit;
        try (var captured = new PrintStream(errors, true, StandardCharsets.UTF_8)) {
            System.setErr(captured);
            exit = Main.commandLine().setErr(new PrintWriter(captured, true)).execute(arguments.toArray(String[]::new));
        } finally {
            System.setErr(before);
        }
        var lines = errors.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.contains(" INFO "))
                .toList();
        assertThat(lines).singleElement().asString().startsWith("hotstate: ").doesNotContain("Exception");
        assertThat(exit).isEqualTo(2);
        return lines.getFirst();
    }

    private static int closedPort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
