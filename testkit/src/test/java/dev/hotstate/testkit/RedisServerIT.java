package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisServerIT {

    @Test
    void aStartedServerAnswersAtItsUri() {
        try (var redis = RedisServer.start();
                var client = RedisClient.create(redis.uri())) {
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
            assertThat(redis.isCluster()).isFalse();
        }
    }

    @Test
    void twoServersDoNotShareAnything() {
        try (var one = RedisServer.start();
                var other = RedisServer.start()) {
            one.commands().set("k", "v");

            assertThat(one.keys()).containsExactly("k");
            assertThat(other.keys()).isEmpty();
            assertThat(one.pid()).isNotEqualTo(other.pid());
        }
    }

    @Test
    void configurationLinesReachTheServerAndAPasswordTheUri() {
        try (var redis = RedisServer.start("maxmemory 10mb", "requirepass secret")) {
            assertThat(redis.uri()).contains(":secret@");
            assertThat(redis.info("memory")).containsEntry("maxmemory", "10485760");
        }
    }

    @Test
    void aConfigurationThatRedisRefusesFailsWithItsWords() {
        assertThatThrownBy(() -> RedisServer.start("no-such-setting 1")).hasMessageContaining("no-such-setting");
    }

    @Test
    void closingEndsTheProcessAndDeletesItsFolder() {
        var redis = RedisServer.start();
        ProcessHandle process = ProcessHandle.of(redis.pid()).orElseThrow();
        Path folder = Path.of(redis.commands().configGet("dir").get("dir"));

        redis.close();

        assertThat(process.isAlive()).isFalse();
        assertThat(Files.exists(folder)).isFalse();
    }

    @Test
    void aPausedServerCanBeClosed() {
        var redis = RedisServer.start();
        ProcessHandle process = ProcessHandle.of(redis.pid()).orElseThrow();
        redis.pause();

        redis.close();

        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void aKilledServerRefusesConnectionsAndIsEmptyAfterARestartOnTheSamePort() {
        try (var redis = RedisServer.start()) {
            redis.commands().set("k", "v");
            String uri = redis.uri();
            redis.kill();
            assertThat(redis.isRunning()).isFalse();
            assertThatThrownBy(() -> pingOnANewConnection(uri)).isInstanceOf(RedisConnectionException.class);

            redis.restart();

            assertThat(redis.uri()).isEqualTo(uri);
            assertThat(redis.keys()).isEmpty();
        }
    }

    @Test
    void aPersistentServerKeepsItsDataWhenRestarted() {
        try (var redis = RedisServer.start("appendonly yes", "appendfsync always")) {
            redis.commands().set("k", "v");
            redis.kill();
            redis.restart();
            assertThat(redis.commands().get("k")).isEqualTo("v");

            redis.restartEmpty();
            assertThat(redis.keys()).isEmpty();
        }
    }

    @Test
    void aStoppedServerWithSavePointsKeepsItsData() {
        try (var redis = RedisServer.start("save 3600 1")) {
            redis.commands().set("k", "v");
            redis.stop();
            redis.restart();
            assertThat(redis.commands().get("k")).isEqualTo("v");
        }
    }

    @Test
    void aPausedServerAnswersNothingUntilItIsResumed() {
        try (var redis = RedisServer.start()) {
            redis.pause();
            assertThat(redis.isRunning()).isFalse();
            assertThatThrownBy(() -> pingOnANewConnection(redis.uri()))
                    .rootCause()
                    .isInstanceOf(RedisCommandTimeoutException.class);

            redis.resume();
            assertThat(pingOnANewConnection(redis.uri())).isEqualTo("PONG");
        }
    }

    @Test
    void flushAllLeavesNoKey() {
        try (var redis = RedisServer.start()) {
            redis.commands().set("k", "v");
            redis.flushAll();
            assertThat(redis.keys()).isEmpty();
        }
    }

    @Test
    void aRestoredSnapshotHasTheOldValueAndNothingNewer() {
        try (var redis = RedisServer.start()) {
            restoresAnOldCopy(redis);
            redis.restart();
            assertThat(redis.keys())
                    .as("taking and restoring a copy does not make a server persistent")
                    .isEmpty();
        }
    }

    @Test
    void aSnapshotCanBeRestoredToAnAppendOnlyServer() {
        try (var redis = RedisServer.start("appendonly yes")) {
            restoresAnOldCopy(redis);
        }
    }

    private static void restoresAnOldCopy(RedisServer redis) {
        redis.commands().set("k", "old");
        RedisSnapshot copy = redis.snapshot();
        redis.commands().set("k", "new");
        redis.commands().set("later", "v");

        redis.restore(copy);

        assertThat(redis.commands().get("k")).isEqualTo("old");
        assertThat(redis.keys()).containsExactly("k");
    }

    private static String pingOnANewConnection(String uri) {
        RedisURI impatient = RedisURI.create(uri);
        impatient.setTimeout(Duration.ofMillis(200));
        try (var client = RedisClient.create(impatient)) {
            return client.connect().sync().ping();
        }
    }
}
