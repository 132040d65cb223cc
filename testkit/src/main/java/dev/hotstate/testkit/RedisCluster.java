package dev.hotstate.testkit;

import io.lettuce.core.KillArgs;
import io.lettuce.core.Range;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A real Redis Cluster of three masters with a replica each, six processes on loopback, that a test may break.
 *
 * <p>Nodes notice a dead one after 1.5 seconds and a replica takes over within another. Partitions whose master lives
 * keep answering meanwhile ({@code cluster-require-full-coverage no}). Nothing is persisted. What is said here of
 * masters and replicas is asked of the running nodes at each call, so it follows failovers.
 */
public final class RedisCluster implements RedisTarget, AutoCloseable {
    private static final int MASTERS = 3;
    private static final int NODES = 2 * MASTERS;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String[] CONFIG = {
        "cluster-enabled yes",
        "cluster-config-file nodes.conf",
        "cluster-node-timeout 1500",
        "cluster-require-full-coverage no",
        "cluster-replica-validity-factor 0",
        "cluster-allow-replica-migration no",
        "repl-diskless-sync-delay 0",
    };

    private final List<RedisServer> nodes;
    private final ClusterConnection connection = new ClusterConnection();

    private RedisCluster(List<RedisServer> nodes) {
        this.nodes = nodes;
    }

    /** Starts six nodes, joins them, and returns once all of them see the whole cluster and replicas are in sync. */
    public static RedisCluster start() {
        List<RedisServer> started = new ArrayList<>();
        var cluster = new RedisCluster(started);
        try {
            for (int i = 0; i < NODES; i++) {
                started.add(RedisServer.start(CONFIG));
            }
            cluster.form();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** The hash slot of a key. */
    public static int slotOf(String key) {
        return SlotHash.getSlot(key);
    }

    @Override
    public String uri() {
        return "redis-cluster://"
                + nodes.stream()
                        .limit(MASTERS)
                        .map(node -> "127.0.0.1:" + node.port())
                        .collect(Collectors.joining(","));
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public RedisAdvancedClusterCommands<String, String> commands() {
        return connection.commands(nodes);
    }

    @Override
    public SortedSet<String> keys() {
        var keys = new TreeSet<String>();
        masters().forEach(master -> keys.addAll(master.keys()));
        return keys;
    }

    @Override
    public void flushAll() {
        masters().forEach(RedisServer::flushAll);
    }

    /** All six nodes, dead or alive, in the order of their start. */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The running masters, in the order of their slots. */
    public List<RedisServer> masters() {
        return servers(topology().masters());
    }

    /** The running replicas, in the order of their masters. */
    public List<RedisServer> replicas() {
        return servers(topology().replicas());
    }

    /** The running master of a slot. */
    public RedisServer masterOf(int slot) {
        return topology().ownerOf(slot).server();
    }

    /** The running master of a key. */
    public RedisServer masterOf(String key) {
        return masterOf(slotOf(key));
    }

    /** The running replica of a running master. */
    public RedisServer replicaOf(RedisServer master) {
        return topology().replicaOf(master).server();
    }

    /**
     * Kills a master and waits until the others have voted its replica into its place.
     *
     * @return the new master
     */
    public RedisServer failOver(RedisServer master) {
        RedisServer replica = replicaOf(master);
        int slot = ClusterMember.ask(master).firstSlot();
        master.kill();
        awaitOwner(slot, ClusterMember.ask(replica).id());
        return replica;
    }

    /**
     * Cuts replication from a master, runs writes of which its replica hears nothing, kills the master and waits until
     * the others have voted that replica into its place: the acknowledged writes are lost.
     *
     * @return the new master
     */
    public RedisServer failOverToLaggingReplica(RedisServer master, Runnable writesTheReplicaMisses) {
        RedisServer replica = replicaOf(master);
        cutReplication(master, replica);
        writesTheReplicaMisses.run();
        RedisServer promoted = failOver(master);
        allowReplication(promoted);
        return promoted;
    }

    /**
     * Kills a master and brings it back with no data before anyone can vote, so that its replica copies the emptiness: a
     * third of the keys is gone, and nobody was promoted.
     */
    public void restartEmpty(RedisServer master) {
        RedisServer replica = replicaOf(master);
        replica.commands().configSet("cluster-replica-no-failover", "yes");
        master.restartEmpty();
        awaitHealth();
        replica.commands().configSet("cluster-replica-no-failover", "no");
    }

    /** Moves a slot with all its keys to another master, and waits until every node knows. */
    public void migrateSlot(int slot, RedisServer to) {
        beginMigration(slot, to).finish();
    }

    /** Opens a slot for moving and leaves it there, so that clients meet ASK and TRYAGAIN. */
    public SlotMigration beginMigration(int slot, RedisServer to) {
        return SlotMigration.begin(this, slot, masterOf(slot), to);
    }

    /** Brings back paused and dead nodes, and waits until there are three masters and three replicas in sync again. */
    public void heal() {
        for (RedisServer node : nodes) {
            node.resume();
            if (!node.isRunning()) {
                node.restart();
            }
            allowReplication(node);
        }
        awaitHealth();
    }

    @Override
    public void close() {
        connection.close();
        nodes.forEach(RedisServer::close);
    }

    /** Waits until every running node agrees who owns a slot, and makes our own client see it. */
    void awaitOwner(int slot, String owner) {
        await(
                "all nodes agree that " + owner + " owns slot " + slot,
                member -> member.agreesThat(owner, slot) && member.isServing());
        connection.refresh();
    }

    /** Every node meets every other one itself: gossip alone would take seconds. */
    private void form() {
        for (int i = 0; i < NODES; i++) {
            nodes.get(i).commands().clusterSetConfigEpoch(i + 1);
            for (int j = 0; j < i; j++) {
                nodes.get(i).commands().clusterMeet("127.0.0.1", nodes.get(j).port());
            }
        }
        for (int i = 0; i < MASTERS; i++) {
            addSlots(nodes.get(i), i * SlotHash.SLOT_COUNT / MASTERS, (i + 1) * SlotHash.SLOT_COUNT / MASTERS - 1);
        }
        await("all nodes have met", member -> member.knowsAll(NODES));
        for (int i = 0; i < MASTERS; i++) {
            nodes.get(MASTERS + i)
                    .commands()
                    .clusterReplicate(nodes.get(i).commands().clusterMyId());
        }
        awaitHealth();
    }

    @SuppressWarnings("unchecked")
    private static void addSlots(RedisServer node, int from, int to) {
        node.commands().clusterAddSlotsRange(Range.create(from, to));
    }

    private void awaitHealth() {
        await(
                "the cluster is whole",
                member -> member.knowsAll(NODES)
                        && member.isServing()
                        && member.seesFullCoverage()
                        && member.seesNoFailure()
                        && member.isInSync());
        Eventually.within(PATIENCE, "each master has a replica", () -> {
            ClusterTopology topology = topology();
            return topology.masters().size() == MASTERS && topology.replicas().size() == MASTERS;
        });
        connection.refresh();
    }

    private void await(String what, Predicate<ClusterMember> condition) {
        Eventually.within(PATIENCE, what, () -> topology().all(condition));
    }

    private ClusterTopology topology() {
        return ClusterTopology.ask(nodes);
    }

    private static List<RedisServer> servers(List<ClusterMember> members) {
        return members.stream().map(ClusterMember::server).toList();
    }

    /**
     * A replica that shows a wrong password is turned away by its master. To pause it instead would not do: what the
     * master sends waits in the kernel, and the replica reads it when it is resumed.
     */
    private static void cutReplication(RedisServer master, RedisServer replica) {
        replica.commands().configSet("masteruser", "nobody");
        replica.commands().configSet("masterauth", "wrong");
        master.commands().clientKill(KillArgs.Builder.typeSlave());
        Eventually.within(
                PATIENCE,
                "the replica is cut off",
                () -> "0".equals(master.info("replication").get("connected_slaves"))
                        && "down".equals(replica.info("replication").get("master_link_status")));
    }

    private static void allowReplication(RedisServer node) {
        node.commands().configSet("masteruser", "");
        node.commands().configSet("masterauth", "");
    }

    @Override
    public String toString() {
        return uri();
    }
}
