package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.Server;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.wire.UnansweredException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.protocol.CommandType;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster whole and in part, masters and replicas. The cluster is its own, because a node of it is killed. */
class TopologyIT {
    private static final RedisCluster CLUSTER = RedisCluster.start();

    @BeforeEach
    void empty() {
        CLUSTER.heal();
        CLUSTER.flushAll();
    }

    @AfterAll
    static void end() {
        CLUSTER.close();
    }

    @Test
    void allMastersOfAClusterAreReadWhicheverNodeIsNamed() throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            CLUSTER.commands().set("prod:app:{u" + i + "}:page", "x");
        }
        awaitReplicas();
        String one = "redis://127.0.0.1:" + CLUSTER.masters().getFirst().port();

        for (String url : List.of(CLUSTER.uri(), one)) {
            Report report = Audits.of(url, Audits.QUICK);

            assertThat(report.server().kind()).isEqualTo("cluster");
            assertThat(report.keys()).isEqualTo(300);
            assertThat(report.families()).singleElement().satisfies(family -> {
                assertThat(family.pattern()).isEqualTo("prod:app:{<tag>}:page");
                assertThat(family.sampled()).isEqualTo(300);
                assertThat(family.types()).containsEntry("string", 300L);
            });
            assertThat(report.server().nodes()).hasSize(6).allMatch(Server.Node::up);
            assertThat(report.server().nodes())
                    .filteredOn(Server.Node::scanned)
                    .as("replicas spare the masters")
                    .hasSize(3)
                    .allMatch(node -> node.role().equals("replica"));
            assertThat(report.findings())
                    .extracting(Finding::rule)
                    .doesNotContain("node-down", "slots-uncovered", "slot-skew", "config-drift", "replica-link-down");
        }
    }

    @Test
    void mastersAreReadWhereThatIsAskedFor() throws InterruptedException {
        CLUSTER.commands().set("prod:app:{u1}:page", "x");

        Report report = new Auditor(InstantSource.system())
                .audit(AuditTarget.of(CLUSTER.uri()).onMasters(), Audits.QUICK, Progress.NONE);

        assertThat(report.keys()).isEqualTo(1);
        assertThat(report.server().nodes())
                .filteredOn(Server.Node::scanned)
                .hasSize(3)
                .allMatch(node -> node.role().equals("master"));
    }

    @Test
    void aDeadNodeIsAFindingAndTheOthersAreRead() throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            CLUSTER.commands().set("prod:app:{u" + i + "}:page", "x");
        }
        awaitReplicas();
        RedisServer dead = CLUSTER.masters().get(1);
        RedisServer replica = CLUSTER.replicaOf(dead);
        long there = 300 - dead.commands().dbsize();
        replica.kill();
        dead.kill();

        Report report = Audits.of(CLUSTER.uri(), Audits.QUICK);

        assertThat(Audits.findings(report, Rules.NODE_DOWN))
                .extracting(Finding::subject)
                .containsExactlyInAnyOrder("127.0.0.1:" + dead.port(), "127.0.0.1:" + replica.port());
        assertThat((Long) Audits.only(report, Rules.SLOTS_UNCOVERED).numbers().get("slots"))
                .isBetween(5461L, 5462L);
        assertThat(report.keys()).isEqualTo(there);
        assertThat(report.complete()).isFalse();
        assertThat(report.notLookedAt())
                .extracting(Report.NotLookedAt::what)
                .contains("keys of 127.0.0.1:" + dead.port());
    }

    @Test
    void aClusterIsKnownByItsNodesWhereInfoIsRefused() throws InterruptedException {
        for (RedisServer node : CLUSTER.masters()) {
            node.commands()
                    .aclSetuser(
                            "silent",
                            AclSetuserArgs.Builder.on()
                                    .addPassword("pw")
                                    .allKeys()
                                    .allCommands()
                                    .removeCommand(CommandType.INFO));
        }
        CLUSTER.commands().set("prod:app:{u1}:page", "x");
        CLUSTER.commands().set("prod:app:{u2}:page", "x");

        Report report = new Auditor(InstantSource.system())
                .audit(
                        AuditTarget.of("redis://silent:pw@127.0.0.1:"
                                        + CLUSTER.masters().getFirst().port())
                                .onMasters(),
                        Audits.QUICK,
                        Progress.NONE);

        assertThat(report.server().kind()).isEqualTo("cluster");
        assertThat(report.keys()).isEqualTo(2);
    }

    @Test
    void aReplicaThatIsLostIsReadFromItsMaster() throws InterruptedException {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port())) {
            master.commands()
                    .eval(
                            "for i = 1, 200000 do redis.call('set', 'prod:app:page:' .. i, 'x') end return 0",
                            ScriptOutputType.INTEGER);
            Eventually.until("the replica has all", () -> replica.commands().dbsize() == 200_000);

            Report report = Audits.of(master.uri(), Audits.QUICK, step -> {
                if (step.phase().equals("names")) {
                    replica.kill();
                }
                return true;
            });

            assertThat(report.keys()).isEqualTo(200_000);
            assertThat(report.complete()).isTrue();
            assertThat(Audits.only(report, Rules.NODE_DOWN).subject()).isEqualTo("127.0.0.1:" + replica.port());
        }
    }

    @Test
    void aReplicaWithReplicasOfItsOwnIsAudited() throws InterruptedException {
        try (RedisServer master = RedisServer.start();
                RedisServer middle = RedisServer.start("replicaof 127.0.0.1 " + master.port());
                RedisServer last = RedisServer.start("replicaof 127.0.0.1 " + middle.port())) {
            master.commands().set("prod:app:page:1", "x");
            Eventually.until("the last has it", () -> last.commands().dbsize() == 1);

            Report report = Audits.of(middle.uri(), Audits.QUICK);

            assertThat(report.complete()).isTrue();
            assertThat(report.keys()).isEqualTo(1);
        }
    }

    @Test
    void oneTagForAllIsASkewOfItsMasterThoughAReplicaIsRead() throws InterruptedException {
        for (int i = 0; i < 1200; i++) {
            CLUSTER.commands().set("prod:app:{all}:page:" + i, "x");
        }
        awaitReplicas();

        Report report = Audits.of(CLUSTER.uri(), Audits.QUICK);

        assertThat(Audits.findings(report, Rules.SLOT_SKEW))
                .extracting(Finding::subject)
                .contains(
                        "slot " + RedisCluster.slotOf("{all}"),
                        "127.0.0.1:" + CLUSTER.masterOf("{all}").port());
    }

    @Test
    void nodesThatAreConfiguredDifferentlyDrift() throws InterruptedException {
        CLUSTER.masters().getFirst().commands().configSet("timeout", "77");

        Report report = Audits.of(CLUSTER.uri(), Audits.QUICK);

        assertThat(Audits.only(report, Rules.CONFIG_DRIFT).subject()).isEqualTo("timeout");
        CLUSTER.masters().getFirst().commands().configSet("timeout", "0");
    }

    @Test
    void aReplicaIsAuditedAsItIsAndALostMasterIsTold() throws InterruptedException {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port())) {
            master.commands().set("prod:app:page:1", "x");
            Eventually.until("the replica has it", () -> replica.commands().dbsize() == 1);

            Report ofReplica = Audits.of(replica.uri(), Audits.QUICK);
            assertThat(ofReplica.keys()).isEqualTo(1);
            assertThat(ofReplica.server().nodes())
                    .singleElement()
                    .satisfies(node -> assertThat(node.role()).isEqualTo("replica"));
            Report ofMaster = Audits.of(master.uri(), Audits.QUICK);
            assertThat(ofMaster.server().nodes())
                    .filteredOn(Server.Node::scanned)
                    .extracting(Server.Node::address)
                    .containsExactly("127.0.0.1:" + replica.port());
            assertThat(Audits.findings(ofReplica, Rules.REPLICA_LINK_DOWN)).isEmpty();

            master.kill();
            Eventually.until(
                    "the replica knows",
                    () -> "down".equals(replica.info("replication").get("master_link_status")));
            assertThat(Audits.only(Audits.of(replica.uri(), Audits.QUICK), Rules.REPLICA_LINK_DOWN)
                            .evidence())
                    .contains("127.0.0.1:" + master.port());
            assertThatThrownBy(() -> Audits.of(master.uri(), Audits.QUICK))
                    .isInstanceOf(UnansweredException.class)
                    .hasMessageContaining("127.0.0.1:" + master.port());
        }
    }

    private static void awaitReplicas() {
        Eventually.until(
                "replicas have what their masters have",
                () -> CLUSTER.masters().stream()
                        .allMatch(master -> CLUSTER.replicaOf(master)
                                .commands()
                                .dbsize()
                                .equals(master.commands().dbsize())));
    }
}
