package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.Server;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.wire.UnansweredException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisSentinel;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A deployment that is known by its Sentinels. */
class SentinelIT {
    @Test
    void theMasterThatSentinelsNameIsAuditedWithItsReplicas() throws InterruptedException {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port());
                RedisSentinel sentinel = RedisSentinel.over(master, Duration.ofMinutes(10))) {
            for (int i = 0; i < 50; i++) {
                master.commands().set("prod:app:page:" + i, "x");
            }
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
}
