package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.config.Settings;
import dev.hotstate.server.embedded.EmbeddedServers;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TestCertificate;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorIT {
    @TempDir
    static Path place;

    private final StringWriter output = new StringWriter();

    @Test
    void runningEmbeddedServersAreAskedAndCalledNotForProduction() {
        var data = place.resolve("data").toString();
        try (var servers = new EmbeddedServers(Settings.load(place, Map.of(), Map.of("--data", data)))) {
            servers.start();

            assertThat(doctor("--data", data, "--port", "0")).isZero();
            assertThat(output.toString())
                    .contains("warn  redis       the embedded one is not for production")
                    .contains("warn  postgres    the embedded one is not for production")
                    .contains("ok    redis       Redis 7")
                    .contains("ok    redis       maxmemory-policy noeviction, maxmemory 512")
                    .contains("ok    redis       append-only file on")
                    .contains("ok    postgres    PostgreSQL 18");
        }
    }

    @Test
    void aWrongPasswordAndARefusedConnectionAreOneLineEachWithoutTheSecret() throws Exception {
        var data = place.resolve("data").toString();
        try (var servers = new EmbeddedServers(Settings.load(place, Map.of(), Map.of("--data", data)))) {
            servers.start();
            var wrong = servers.redisUrl().text().replaceFirst("//:[0-9a-f]+@", "//:hush@");

            assertThat(doctor("--redis", wrong, "--postgres", "postgresql://u:hush@127.0.0.1:" + closedPort() + "/db"))
                    .isEqualTo(1);
            assertThat(output.toString())
                    .containsPattern("fail  redis       cannot use redis://\\*\\*\\*@127.0.0.1:\\d+: WRONGPASS")
                    .containsPattern("fail  postgres    cannot use jdbc:postgresql://127.0.0.1:\\d+/db: .*refused")
                    .doesNotContain("hush");
        }
    }

    @Test
    void aRedisWithACertificateIsBelievedAsFarAsItsUrlSays() throws Exception {
        var tls = TestCertificate.make("dns:redis.example", place);
        int port = closedPort();
        try (var redis = RedisServer.start(
                "tls-port " + port,
                "tls-cert-file " + tls.certificate(),
                "tls-key-file " + tls.key(),
                "tls-ca-cert-file " + tls.certificate(),
                "tls-auth-clients no")) {
            assertThat(redis.isRunning()).isTrue();
            var url = "rediss://127.0.0.1:" + port;
            assertThat(askRedis(url)).contains("fail  redis       cannot use " + url);
            assertThat(askRedis(url + "?ca=" + tls.certificate())).contains("fail  redis       cannot use " + url);
            assertThat(askRedis(url + "?ca=" + tls.certificate() + "&verify=ca"))
                    .contains("ok    redis       Redis 7");
            assertThat(askRedis(url + "?verify=none")).contains("ok    redis       Redis 7");
        }
    }

    private String askRedis(String url) throws Exception {
        output.getBuffer().setLength(0);
        doctor("--redis", url, "--postgres", "postgresql://u:hush@127.0.0.1:" + closedPort() + "/db");
        return output.toString();
    }

    @Test
    void aTakenPortAndAFileForAFolderFail() throws Exception {
        var file = Files.createFile(place.resolve("file"));
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = Integer.toString(taken.getLocalPort());

            assertThat(doctor("--data", file.toString(), "--port", port)).isEqualTo(1);
            assertThat(output.toString())
                    .contains("fail  port        cannot listen on 127.0.0.1:" + port)
                    .contains("fail  data        " + file + " is a file, not a folder");
        }
    }

    @Test
    void lookingChangesNothing() {
        var absent = place.resolve("absent");

        assertThat(doctor("--data", absent.toString(), "--port", "0")).isZero();
        assertThat(absent).doesNotExist();
    }

    @Test
    void aPrefixUnderWhichKeysWouldBeTooLongFails() throws Exception {
        var config =
                Files.writeString(place.resolve("stage.yaml"), "env: stage\n").toString();

        assertThat(doctor("--config", config, "--port", "0")).isEqualTo(1);
        assertThat(output.toString())
                .contains("fail  config      keys would begin with \"stage:hotstate\", which is 14 characters")
                .contains("at most 13 fit: set a shorter HOTSTATE_APP, or HOTSTATE_KEY_PREFIX");
    }

    @Test
    void thePrefixOfKeysIsTold() throws Exception {
        var config =
                Files.writeString(place.resolve("prod.yaml"), "env: prod\n").toString();
        var data = place.resolve("none").toString();

        assertThat(doctor("--config", config, "--data", data, "--port", "0")).isZero();
        assertThat(output.toString())
                .contains("ok    config      valid, environment prod, keys begin with prod:hotstate");
    }

    private static int closedPort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private int doctor(String... arguments) {
        var line = new String[arguments.length + 1];
        line[0] = "doctor";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        return Main.commandLine().setOut(new PrintWriter(output, true)).execute(line);
    }
}
