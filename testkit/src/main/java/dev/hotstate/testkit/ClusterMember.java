package dev.hotstate.testkit;

import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.models.role.RedisInstance.Role;
import java.util.List;

/** A running node and what it believes about itself and the cluster, as of the moment it was asked. */
record ClusterMember(RedisServer server, Partitions view, RedisClusterNode self) {

    static ClusterMember ask(RedisServer server) {
        Partitions view = ClusterPartitionParser.parse(server.commands().clusterNodes());
        RedisClusterNode self = view.stream()
                .filter(node -> node.is(NodeFlag.MYSELF))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(server + " does not list itself"));
        return new ClusterMember(server, view, self);
    }

    String id() {
        return self.getNodeId();
    }

    boolean isMaster() {
        return self.getRole() == Role.UPSTREAM;
    }

    boolean isReplicaOf(ClusterMember master) {
        return !isMaster() && master.id().equals(self.getSlaveOf());
    }

    boolean owns(int slot) {
        return isMaster() && self.hasSlot(slot);
    }

    int firstSlot() {
        return self.getSlots().get(0);
    }

    boolean knowsAll(int nodes) {
        return view.size() == nodes && view.stream().noneMatch(node -> node.is(NodeFlag.HANDSHAKE));
    }

    boolean agreesThat(String owner, int slot) {
        return view.stream()
                .filter(node -> node.getRole() == Role.UPSTREAM && node.hasSlot(slot))
                .map(RedisClusterNode::getNodeId)
                .toList()
                .equals(List.of(owner));
    }

    /** A node that has just started, or is among a minority, does not serve. */
    boolean isServing() {
        return server.commands().clusterInfo().contains("cluster_state:ok");
    }

    boolean seesFullCoverage() {
        return server.commands().clusterInfo().contains("cluster_slots_ok:" + SlotHash.SLOT_COUNT);
    }

    boolean isInSync() {
        return isMaster() || "up".equals(server.info("replication").get("master_link_status"));
    }

    boolean seesNoFailure() {
        return view.stream().noneMatch(node -> node.is(NodeFlag.FAIL) || node.is(NodeFlag.EVENTUAL_FAIL));
    }
}
