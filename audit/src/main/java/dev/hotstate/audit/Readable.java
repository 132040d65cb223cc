package dev.hotstate.audit;

import dev.hotstate.audit.facts.Fleet;
import dev.hotstate.audit.facts.Member;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.scan.Sources;
import dev.hotstate.audit.scan.Sources.Source;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import dev.hotstate.audit.wire.UnansweredException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** From which node each part of the keyspace is read. */
final class Readable {
    private final Fleet fleet;
    private final List<NodeFacts> facts;
    private final Map<Member, String> lost;

    /** @param lost those that have fallen silent since they were found */
    Readable(Fleet fleet, List<NodeFacts> facts, Map<Member, String> lost) {
        this.fleet = fleet;
        this.facts = facts;
        this.lost = lost;
    }

    /** One for each part: a replica that is up to date where these are preferred, or where the master is dead. */
    Sources sources(boolean replicas) {
        List<Source> parts = new ArrayList<>();
        List<NotLookedAt> unread = new ArrayList<>();
        for (Member member : fleet.members()) {
            if (isPart(member)) {
                Connection itself = lost.containsKey(member) ? null : member.connection();
                Connection replica = replicas || itself == null ? replica(member, itself != null) : null;
                if (replica != null) {
                    parts.add(new Source(replica, itself));
                } else if (itself != null) {
                    parts.add(new Source(itself, null));
                } else {
                    unread.add(Sources.unread(member.address(), lost.getOrDefault(member, member.failure())));
                }
            }
        }
        return new Sources(parts, unread);
    }

    /** Of a replica that was named, its master is no member: it is itself what is audited. */
    private boolean isPart(Member member) {
        if (fleet.isCluster()) {
            return !member.replica() && member.slots() > 0;
        }
        return !member.replica()
                || fleet.members().stream().noneMatch(other -> other.address().equals(member.master()));
    }

    private @Nullable Connection replica(Member of, boolean isUp) {
        for (NodeFacts node : facts) {
            Member member = node.member();
            if (member.replica()
                    && of.address().equals(member.master())
                    && !lost.containsKey(member)
                    && isInStep(node, isUp)
                    && mayRead(member)) {
                return member.connection();
            }
        }
        return null;
    }

    private boolean mayRead(Member replica) {
        try {
            return !fleet.isCluster()
                    || !(Objects.requireNonNull(replica.connection()).call("READONLY") instanceof Reply.Refused);
        } catch (UnansweredException silent) {
            lost.put(replica, String.valueOf(silent.getMessage()));
            return false;
        }
    }

    /** Of a master that is dead, what its replica has is all there is, however old. */
    private static boolean isInStep(NodeFacts replica, boolean masterIsUp) {
        boolean linked = "up".equals(replica.info().get("master_link_status")) || !masterIsUp;
        return linked && replica.number("master_sync_in_progress") == 0 && replica.number("loading") == 0;
    }
}
