package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.SlotHash;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisClusterIT {
    private static final RedisCluster CLUSTER = RedisCluster.start();

    @AfterAll
    static void close() {
        CLUSTER.close();
    }

    @BeforeEach
    void heal() {
        CLUSTER.heal();
        CLUSTER.flushAll();
    }

    @Test
    void threeMastersShareAllSlotsAndEachHasAReplica() {
        assertThat(CLUSTER.nodes()).hasSize(6);
        assertThat(CLUSTER.masters()).hasSize(3).doesNotContainAnyElementsOf(CLUSTER.replicas());
        assertThat(CLUSTER.replicas())
                .containsExactlyElementsOf(
                        CLUSTER.masters().stream().map(CLUSTER::replicaOf).toList());
        assertThat(IntStream.range(0, SlotHash.SLOT_COUNT / 1000).mapToObj(i -> CLUSTER.masterOf(i * 1000)))
                .containsAll(CLUSTER.masters());
    }

    @Test
    void whatAMasterStoresReachesItsReplica() {
        CLUSTER.commands().set("k", "v");
        RedisServer master = CLUSTER.masterOf("k");

        awaitCopy(CLUSTER.replicaOf(master), "k");
    }

    @Test
    void afterAFailoverTheReplicaIsMasterAndHasWhatItHadReplicated() {
        CLUSTER.commands().set("k", "v");
        RedisServer old = CLUSTER.masterOf("k");
        RedisServer replica = CLUSTER.replicaOf(old);
        awaitCopy(replica, "k");

        RedisServer promoted = CLUSTER.failOver(old);

        assertThat(promoted).isSameAs(replica).isSameAs(CLUSTER.masterOf("k"));
        assertThat(old.isRunning()).isFalse();
        assertThat(CLUSTER.commands().get("k")).isEqualTo("v");
    }

    @Test
    void whatALaggingReplicaMissedIsLostWhenItTakesOver() {
        CLUSTER.commands().set("{tag}seen", "v");
        RedisServer old = CLUSTER.masterOf("{tag}");
        awaitCopy(CLUSTER.replicaOf(old), "{tag}seen");

        CLUSTER.failOverToLaggingReplica(old, () -> {
            CLUSTER.commands().set("{tag}missed", "v");
            assertThat(CLUSTER.commands().get("{tag}missed")).isEqualTo("v");
        });

        assertThat(CLUSTER.masterOf("{tag}")).isNotSameAs(old);
        assertThat(CLUSTER.keys()).containsExactly("{tag}seen");
    }

    @Test
    void aHealedClusterReplicatesToTheNodeThatWasDead() {
        RedisServer old = CLUSTER.masterOf("k");
        CLUSTER.failOverToLaggingReplica(old, () -> CLUSTER.commands().set("k", "lost"));

        CLUSTER.heal();

        RedisServer master = CLUSTER.masterOf("k");
        assertThat(CLUSTER.replicaOf(master)).isSameAs(old);
        CLUSTER.commands().set("k", "v");
        awaitCopy(old, "k");
    }

    @Test
    void aMasterThatComesBackEmptyBeforeAnyoneVotesHasLostItsShareOfTheKeys() {
        IntStream.range(0, 100).forEach(i -> CLUSTER.commands().set("key-" + i, "v"));
        RedisServer master = CLUSTER.masterOf("key-0");

        CLUSTER.restartEmpty(master);

        assertThat(CLUSTER.masterOf("key-0")).isSameAs(master);
        assertThat(CLUSTER.keys()).isNotEmpty().doesNotContain("key-0");
        assertThat(CLUSTER.replicaOf(master).keys()).isEmpty();
    }

    @Test
    void otherPartitionsKeepAnsweringWhileAMasterIsDead() {
        RedisServer dead = CLUSTER.masterOf("k");
        String elsewhere = IntStream.range(0, 100)
                .mapToObj(i -> "key-" + i)
                .filter(key -> CLUSTER.masterOf(key) != dead)
                .findFirst()
                .orElseThrow();
        RedisServer alive = CLUSTER.masterOf(elsewhere);

        CLUSTER.failOver(dead);
        dead.restart();
        CLUSTER.replicaOf(CLUSTER.masterOf("k")).kill();
        CLUSTER.masterOf("k").kill();

        assertThat(alive.commands().set(elsewhere, "v")).isEqualTo("OK");
    }

    @Test
    void aMigratedSlotTakesItsKeysToTheNewMaster() {
        int slot = RedisCluster.slotOf("{tag}");
        RedisServer from = CLUSTER.masterOf(slot);
        RedisServer to = anotherMaster(from);
        IntStream.range(0, 250).forEach(i -> CLUSTER.commands().set("{tag}" + i, "v" + i));

        CLUSTER.migrateSlot(slot, to);

        assertThat(CLUSTER.masterOf(slot)).isSameAs(to);
        assertThat(from.keys()).isEmpty();
        assertThat(to.keys()).hasSize(250);
        assertThat(CLUSTER.commands().get("{tag}249")).isEqualTo("v249");
    }

    @Test
    void aHalfMigratedSlotAsksAndTellsToTryAgain() {
        int slot = RedisCluster.slotOf("{tag}");
        RedisServer from = CLUSTER.masterOf(slot);
        CLUSTER.commands().set("{tag}moved", "1");
        CLUSTER.commands().set("{tag}left", "2");

        SlotMigration migration = CLUSTER.beginMigration(slot, anotherMaster(from));
        migration.moveKeys("{tag}moved");

        assertThatThrownBy(() -> from.commands().get("{tag}moved"))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageStartingWith("ASK " + slot);
        assertThatThrownBy(() -> from.commands().mget("{tag}moved", "{tag}left"))
                .hasMessageStartingWith("TRYAGAIN");
        assertThat(CLUSTER.commands().get("{tag}moved"))
                .as("a client follows ASK")
                .isEqualTo("1");

        migration.finish();
        assertThat(CLUSTER.commands().mget("{tag}moved", "{tag}left"))
                .extracting(kv -> kv.getValue())
                .isEqualTo(List.of("1", "2"));
    }

    private static RedisServer anotherMaster(RedisServer than) {
        return CLUSTER.masters().stream()
                .filter(master -> master != than)
                .findFirst()
                .orElseThrow();
    }

    /** WAIT would not do: it waits for what its own connection has written. */
    private static void awaitCopy(RedisServer replica, String key) {
        Eventually.until(
                key + " is all that the replica has", () -> replica.keys().equals(Set.of(key)));
    }
}
