package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisExecProvider;

/** A master, its replica, and a Sentinel that promotes the replica when the master is gone. */
class RedisSentinelIT {

    @TempDir
    private Path folder;

    @Test
    void callsReturnAfterTheSentinelHasPromotedTheReplica() throws Exception {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port());
                Sentinel sentinel = Sentinel.over(master, folder)) {
            Eventually.until("the replica is in sync", () -> isInSync(replica));
            Eventually.until("the Sentinel knows it", () -> sentinel.log().contains("+slave slave 127.0.0.1:"));
            Key key = Sample.counter("p0", "a");
            try (Redis redis = Sample.connect(Sample.quick(sentinel.url()))) {
                assertThat(Sample.increment(redis, key)).isEqualTo(1);
                Eventually.until(
                        "it is replicated", () -> "1".equals(replica.commands().get(Sample.nameOf(key))));

                master.kill();

                Eventually.until("writes are answered again", () -> Sample.canIncrement(redis, key));
                assertThat(replica.info("replication")).containsEntry("role", "master");
                assertThat(replica.commands().get(Sample.nameOf(key))).isEqualTo("2");
                Eventually.until("the circuit is closed", () -> redis.usage().allClosed());
            }
        }
    }

    private static boolean isInSync(RedisServer replica) {
        return "up".equals(replica.info("replication").get("master_link_status"));
    }

    /** One Sentinel, enough to decide alone, that gives a master up after a second. */
    private record Sentinel(Process process, int port, Path logFile) implements AutoCloseable {

        static Sentinel over(RedisServer master, Path folder) throws IOException {
            int port = freePort();
            Path conf = folder.resolve("sentinel.conf");
            Path log = folder.resolve("sentinel.log");
            Files.write(
                    conf,
                    List.of(
                            "port " + port,
                            "bind 127.0.0.1",
                            "dir " + folder,
                            "sentinel monitor main 127.0.0.1 " + master.port() + " 1",
                            "sentinel down-after-milliseconds main 1000",
                            "sentinel failover-timeout main 3000"));
            Path program = RedisExecProvider.defaultProvider().get().toPath();
            Process process = new ProcessBuilder(program.toString(), conf.toString(), "--sentinel")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new Sentinel(process, port, log);
        }

        String url() {
            return "redis-sentinel://127.0.0.1:" + port + "#main";
        }

        String log() {
            try {
                return Files.readString(logFile);
            } catch (IOException unreadable) {
                return "";
            }
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }

        private static int freePort() throws IOException {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            }
        }
    }
}
