package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SlotMigration;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class KeyspaceAclOnClusterIT extends KeyspaceAclContract {
    private final RedisCluster cluster;

    KeyspaceAclOnClusterIT(RedisCluster redis) {
        super(redis, redis.nodes());
        this.cluster = redis;
    }

    @Test
    void aUserMayFollowAKeyToTheNodeItsSlotIsMovingTo() {
        int slot = PARTITION.slot();
        RedisServer home = cluster.masterOf(slot);
        RedisServer other = cluster.masters().stream()
                .filter(master -> master.port() != home.port())
                .findFirst()
                .orElseThrow();
        SlotMigration migration = cluster.beginMigration(slot, other);
        try (Redis redis = connect("hotstate")) {
            redis.write(LIMIT.of(PARTITION), (commands, key) -> commands.set(key, "1"));
        } finally {
            migration.finish();
            cluster.migrateSlot(slot, home);
        }

        assertThat(refusals()).isEmpty();
        assertThat(cluster.keys()).contains(KEYSPACE.wholeName(LIMIT.of(PARTITION)));
    }
}
