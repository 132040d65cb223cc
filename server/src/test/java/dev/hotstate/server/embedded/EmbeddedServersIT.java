package dev.hotstate.server.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.server.config.ServerUrl;
import dev.hotstate.server.config.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One folder for all, so that the programs are unpacked once. */
class EmbeddedServersIT {
    @TempDir
    static Path place;

    private final Path data = place.resolve("a folder");

    @Test
    void whatWasWrittenIsThereAfterARestartAndNothingRunsInBetween() throws Exception {
        try (var servers = start()) {
            write(servers.redisUrl(), servers.postgresUrl(), "restart");
            var configured =
                    onRedis(servers.redisUrl(), redis -> redis.configGet("maxmemory-policy", "appendonly", "bind"));
            assertThat(configured)
                    .containsEntry("maxmemory-policy", "noeviction")
                    .containsEntry("appendonly", "yes")
                    .containsEntry("bind", "127.0.0.1");
        }
        assertThat(redisProcess()).isEmpty();
        assertThat(postgresProcess()).isEmpty();

        try (var servers = start()) {
            assertWritten(servers.redisUrl(), servers.postgresUrl(), "restart");
        }
    }

    @Test
    void aSecondStartOnTheFolderIsRefusedAndASecondUserMayJoin() throws Exception {
        try (var servers = start()) {
            var second = new EmbeddedServers(settings());
            assertThatThrownBy(second::start)
                    .isInstanceOf(EmbeddedServerException.class)
                    .hasMessage(
                            "another hotstate (pid " + ProcessHandle.current().pid() + ") uses the data folder "
                                    + data.toRealPath() + "; stop it, or give another folder with --data");

            second.startOrJoin();
            assertThat(second.redisUrl().text()).isEqualTo(servers.redisUrl().text());
            assertThat(second.postgresUrl().text())
                    .isEqualTo(servers.postgresUrl().text());
            second.close();
            write(servers.redisUrl(), servers.postgresUrl(), "joined");
        }
    }

    @Test
    void afterAKillTheNextStartEndsWhatWasLeftAndFindsTheData() throws Exception {
        var killed = new ChildUp(data);
        long redis;
        long postgres;
        try {
            killed.awaitReady();
            var joined = new EmbeddedServers(settings());
            assertThat(joined.join()).isTrue();
            write(joined.redisUrl(), joined.postgresUrl(), "killed");
            assertThatThrownBy(() -> new EmbeddedServers(settings()).start())
                    .hasMessageContaining("pid " + killed.pid());
            redis = redisProcess().orElseThrow().pid();
            postgres = postgresProcess().orElseThrow().pid();
        } finally {
            killed.kill();
        }
        assertThat(ProcessHandle.of(redis))
                .as("a detached server outlives the kill")
                .isPresent();

        try (var servers = start()) {
            assertThat(ProcessHandle.of(redis).filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(ProcessHandle.of(postgres).filter(ProcessHandle::isAlive))
                    .isEmpty();
            assertWritten(servers.redisUrl(), servers.postgresUrl(), "killed");
        }
    }

    @Test
    void aTermSignalEndsTheProgramCleanlyAndBothServersWithIt() throws Exception {
        var child = new ChildUp(data);
        try {
            child.awaitReady();
            assertThat(child.terminate()).isZero();
        } finally {
            child.kill();
        }
        assertThat(redisProcess()).isEmpty();
        assertThat(postgresProcess()).isEmpty();
    }

    @Test
    void aStrangerThatGotAnOldPidIsLeftAlone() throws Exception {
        start().close();
        var stranger = new ProcessBuilder("sleep", "600").start();
        try {
            var pid = Long.toString(stranger.pid());
            Files.writeString(data.resolve("redis/redis.pid"), pid);
            Files.writeString(data.resolve("postgres/data/postmaster.pid"), pid + "\n");

            try (var servers = start()) {
                write(servers.redisUrl(), servers.postgresUrl(), "stranger");
            }
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void aFirstStartThatWasCutShortIsMadeAnew() throws Exception {
        start().close();
        Files.delete(data.resolve("postgres/initialised"));
        Files.delete(data.resolve("postgres/data/PG_VERSION"));

        try (var servers = start()) {
            write(servers.redisUrl(), servers.postgresUrl(), "anew");
        }
    }

    @Test
    void passwordsAreForTheOwnerAloneAndAreNeeded() throws Exception {
        try (var servers = start()) {
            for (var name : new String[] {"redis/password", "postgres/password", "redis/redis.conf"}) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(name))))
                        .isEqualTo("rw-------");
            }
            var withoutPassword = new ServerUrl(servers.postgresUrl().text().replaceFirst("&password=.*", ""));
            assertThatThrownBy(() -> DriverManager.getConnection(withoutPassword.text()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
        }
    }

    @Test
    void aPlaceThatCannotHoldTheFolderIsRefusedInOneSentence() throws IOException {
        var file = Files.createFile(place.resolve("file"));

        assertThatThrownBy(() -> new EmbeddedServers(settings(file)).start())
                .hasMessage(file + " is a file, not a folder; give another data folder with --data");
        assertThatThrownBy(() -> new EmbeddedServers(settings(file.resolve("below"))).start())
                .hasMessageStartingWith("cannot write the data folder " + file.resolve("below"))
                .hasMessageEndingWith("; give another one with --data");
    }

    @Test
    void withBothUrlsGivenNothingIsStartedAndNoFolderMade() {
        var untouched = place.resolve("untouched");
        var settings = Settings.load(
                place,
                Map.of(),
                Map.of("--data", untouched.toString(), "--redis", "redis://h", "--postgres", "postgresql://h/db"));

        try (var servers = new EmbeddedServers(settings)) {
            servers.start();
            assertThat(servers.redisUrl().text()).isEqualTo("redis://h");
            assertThat(servers.postgresUrl().text()).isEqualTo("jdbc:postgresql://h/db");
        }
        assertThat(untouched).doesNotExist();
    }

    private EmbeddedServers start() {
        var servers = new EmbeddedServers(settings());
        servers.start();
        return servers;
    }

    private Settings settings() {
        return settings(data);
    }

    private static Settings settings(Path folder) {
        return Settings.load(place, Map.of(), Map.of("--data", folder.toString()));
    }

    private Optional<ProcessHandle> redisProcess() {
        return ServerProcess.named(data.resolve("redis/redis.pid"));
    }

    private Optional<ProcessHandle> postgresProcess() {
        return ServerProcess.named(data.resolve("postgres/data/postmaster.pid"));
    }

    private static void write(ServerUrl redisUrl, ServerUrl postgresUrl, String word) throws SQLException {
        var reply = onRedis(redisUrl, redis -> redis.set("word", word));
        assertThat(reply).isEqualTo("OK");
        try (var connection = DriverManager.getConnection(postgresUrl.text());
                var statement = connection.createStatement()) {
            statement.execute("create table if not exists words (word text)");
            statement.execute("truncate words");
            statement.execute("insert into words values ('" + word + "')");
        }
    }

    private static void assertWritten(ServerUrl redisUrl, ServerUrl postgresUrl, String word) throws SQLException {
        var kept = onRedis(redisUrl, redis -> redis.get("word"));
        assertThat(kept).isEqualTo(word);
        try (var connection = DriverManager.getConnection(postgresUrl.text());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select word from words")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo(word);
        }
    }

    private static <T> T onRedis(ServerUrl url, Function<RedisCommands<String, String>, T> call) {
        var client = RedisClient.create(RedisURI.create(url.text()));
        try (var connection = client.connect()) {
            return call.apply(connection.sync());
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }
}
