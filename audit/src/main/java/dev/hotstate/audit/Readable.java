package dev.hotstate.audit;

import dev.hotstate.audit.facts.Fleet;
import dev.hotstate.audit.facts.Member;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** From which node each part of the keyspace is read. */
final class Readable {
    private Readable() {}

    /** One for each master: a replica of it that is up to date where these are preferred, or where the master is dead. */
    static List<Connection> nodes(Fleet fleet, List<NodeFacts> facts, boolean replicas) {
        List<Connection> nodes = new ArrayList<>();
        for (Member member : fleet.members()) {
            boolean part = fleet.isCluster()
                    ? !member.replica() && member.slots() > 0
                    : fleet.members().size() == 1 || !member.replica();
            if (part) {
                Connection chosen = chosen(fleet, facts, member, replicas);
                if (chosen != null) {
                    nodes.add(chosen);
                }
            }
        }
        return nodes;
    }

    private static @Nullable Connection chosen(Fleet fleet, List<NodeFacts> facts, Member master, boolean replicas) {
        if (replicas || !master.isUp()) {
            for (NodeFacts node : facts) {
                Member member = node.member();
                if (member.replica() && master.address().equals(member.master()) && isInStep(node, master.isUp())) {
                    Connection connection = Objects.requireNonNull(member.connection());
                    if (!fleet.isCluster() || !(connection.call("READONLY") instanceof Reply.Refused)) {
                        return connection;
                    }
                }
            }
        }
        return master.connection();
    }

    /** Of a master that is dead, what its replica has is all there is, however old. */
    private static boolean isInStep(NodeFacts replica, boolean masterIsUp) {
        boolean linked = "up".equals(replica.info().get("master_link_status")) || !masterIsUp;
        return linked && replica.number("master_sync_in_progress") == 0 && replica.number("loading") == 0;
    }
}
