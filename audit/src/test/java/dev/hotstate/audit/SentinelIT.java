package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.Server;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.wire.UnansweredException;
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

/** A deployment that is known by its Sentinels. */
class SentinelIT {
    @Test
    void theMasterThatSentinelsNameIsAuditedWithItsReplicas(@TempDir Path folder) throws Exception {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port());
                Sentinel sentinel = Sentinel.over(master, folder)) {
            for (int i = 0; i < 50; i++) {
                master.commands().set("prod:app:page:" + i, "x");
            }
            Eventually.until(
                    "the Sentinel knows the replica", () -> sentinel.log().contains("+slave slave"));
            Eventually.until("the replica has it all", () -> replica.keys().size() == 50);

            Report report = Audits.of(sentinel.url("main"), Audits.QUICK);

            assertThat(report.server().kind()).isEqualTo("sentinel");
            assertThat(report.keys()).isEqualTo(50);
            assertThat(report.complete()).isTrue();
            assertThat(report.server().nodes())
                    .extracting(Server.Node::address)
                    .containsExactlyInAnyOrder("127.0.0.1:" + master.port(), "127.0.0.1:" + replica.port());
            assertThat(report.server().nodes())
                    .filteredOn(Server.Node::scanned)
                    .as("the replica spares the master")
                    .extracting(Server.Node::address)
                    .containsExactly("127.0.0.1:" + replica.port());
            assertThat(Audits.rules(report)).doesNotContain(Rules.NODE_DOWN.id());
            assertThatThrownBy(() -> Audits.of(sentinel.url("other"), Audits.QUICK))
                    .isInstanceOf(UnansweredException.class)
                    .hasMessageContaining("know no master other");
        }
    }

    /** It never gives its master up, so that nothing changes meanwhile. */
    private record Sentinel(Process process, int port, Path logFile) implements AutoCloseable {
        static Sentinel over(RedisServer master, Path folder) throws IOException {
            int port;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            Path conf = folder.resolve("sentinel.conf");
            Path log = folder.resolve("sentinel.log");
            Files.write(
                    conf,
                    List.of(
                            "port " + port,
                            "bind 127.0.0.1",
                            "dir " + folder,
                            "sentinel monitor main 127.0.0.1 " + master.port() + " 1",
                            "sentinel down-after-milliseconds main 600000"));
            Path program = RedisExecProvider.defaultProvider().get().toPath();
            Process process = new ProcessBuilder(program.toString(), conf.toString(), "--sentinel")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new Sentinel(process, port, log);
        }

        String url(String master) {
            return "redis-sentinel://127.0.0.1:" + port + "#" + master;
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
    }
}
