package dev.hotstate.testkit;

import io.lettuce.core.MigrateArgs;
import java.util.List;

/**
 * A slot on its way from one master to another; see {@link RedisCluster#beginMigration}.
 *
 * <p>While it is open the source answers for the keys it still has and sends clients to the target (ASK) for the others;
 * a command on several keys of which some have moved gets TRYAGAIN.
 */
public final class SlotMigration {
    private static final int BATCH = 100;
    private static final long TIMEOUT_MILLIS = 5_000;

    private final RedisCluster cluster;
    private final int slot;
    private final RedisServer from;
    private final RedisServer to;

    private SlotMigration(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
        if (from == to) {
            throw new IllegalArgumentException("Slot " + slot + " is on " + to + " already");
        }
        this.cluster = cluster;
        this.slot = slot;
        this.from = from;
        this.to = to;
    }

    static SlotMigration begin(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
        var migration = new SlotMigration(cluster, slot, from, to);
        to.commands().clusterSetSlotImporting(slot, from.commands().clusterMyId());
        from.commands().clusterSetSlotMigrating(slot, to.commands().clusterMyId());
        return migration;
    }

    /** Moves some keys and leaves the slot open. */
    public void moveKeys(String... keys) {
        move(List.of(keys));
    }

    /** Moves the keys that are left, closes the slot and waits until every node knows its new master. */
    public void finish() {
        List<String> left = from.commands().clusterGetKeysInSlot(slot, BATCH);
        while (!left.isEmpty()) {
            move(left);
            left = from.commands().clusterGetKeysInSlot(slot, BATCH);
        }
        String owner = to.commands().clusterMyId();
        to.commands().clusterSetSlotNode(slot, owner);
        from.commands().clusterSetSlotNode(slot, owner);
        cluster.masters().forEach(master -> master.commands().clusterSetSlotNode(slot, owner));
        cluster.awaitOwner(slot, owner);
    }

    private void move(List<String> keys) {
        from.commands().migrate("127.0.0.1", to.port(), 0, TIMEOUT_MILLIS, new MigrateArgs<String>().keys(keys));
    }
}
