package dev.hotstate.testkit;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** What the running nodes of a cluster said when all were asked. */
record ClusterTopology(List<ClusterMember> members) {

    static ClusterTopology ask(List<RedisServer> nodes) {
        return new ClusterTopology(nodes.stream()
                .filter(RedisServer::isRunning)
                .map(ClusterMember::ask)
                .toList());
    }

    boolean all(Predicate<ClusterMember> condition) {
        return members.stream().allMatch(condition);
    }

    /** In the order of their slots. */
    List<ClusterMember> masters() {
        return members.stream()
                .filter(member -> member.isMaster() && !member.self().hasNoSlots())
                .filter(member -> ownerOf(member.firstSlot()) == member)
                .sorted(Comparator.comparingInt(ClusterMember::firstSlot))
                .toList();
    }

    /** In the order of their masters. */
    List<ClusterMember> replicas() {
        return masters().stream()
                .flatMap(master -> members.stream().filter(member -> member.isReplicaOf(master)))
                .toList();
    }

    /** A master that has just come back may still claim slots it has lost: the newest claim is the true one. */
    ClusterMember ownerOf(int slot) {
        return members.stream()
                .filter(member -> member.owns(slot))
                .max(Comparator.comparingLong(member -> member.self().getConfigEpoch()))
                .orElseThrow(() -> new IllegalStateException("No running master owns slot " + slot));
    }

    ClusterMember replicaOf(RedisServer master) {
        ClusterMember owner = member(master);
        return members.stream()
                .filter(member -> member.isReplicaOf(owner))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(master + " has no running replica"));
    }

    private ClusterMember member(RedisServer server) {
        return members.stream()
                .filter(member -> member.server() == server)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(server + " is not a running node of this cluster"));
    }
}
