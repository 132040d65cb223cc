package dev.hotstate.audit.facts;

import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Endpoint;
import dev.hotstate.audit.wire.RedisSeeds;
import dev.hotstate.audit.wire.Reply;
import dev.hotstate.audit.wire.UnansweredException;
import dev.hotstate.core.RedisAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * All nodes of a deployment, with a connection to each that answers. A URL that names one node of a cluster means the
 * cluster. A node that does not answer is a member all the same.
 */
public final class Fleet implements AutoCloseable {
    private final String kind;
    private final List<Member> members;

    private Fleet(String kind, List<Member> members) {
        this.kind = kind;
        this.members =
                members.stream().sorted(Comparator.comparing(Member::address)).toList();
    }

    /**
     * @param patience the longest to wait for a connection or an answer
     * @throws UnansweredException if no node answers at all
     */
    public static Fleet find(RedisAddress address, Duration patience) {
        RedisSeeds seeds = RedisSeeds.of(address);
        return seeds.master() == null ? found(seeds.nodes(), patience) : ofSentinels(seeds, patience);
    }

    public String kind() {
        return kind;
    }

    public boolean isCluster() {
        return kind.equals("cluster");
    }

    public List<Member> members() {
        return members;
    }

    @Override
    public void close() {
        members.forEach(member -> {
            Connection connection = member.connection();
            if (connection != null) {
                connection.close();
            }
        });
    }

    private static Fleet found(List<Endpoint> seeds, Duration patience) {
        Connection first = anyOf(seeds, patience);
        Map<String, String> info = Info.parse(first.call("INFO"));
        if ("1".equals(info.get("cluster_enabled")) || info.isEmpty() || seeds.size() > 1) {
            Reply nodes = first.call("CLUSTER", "NODES");
            if (nodes instanceof Reply.Text text) {
                first.close();
                return new Fleet("cluster", opened(ClusterNodes.parse(text.toString(), first.endpoint()), patience));
            }
        }
        List<Member> members = new ArrayList<>();
        boolean replica = "slave".equals(info.get("role"));
        String master = replica ? info.get("master_host") + ":" + info.get("master_port") : null;
        members.add(new Member(first.endpoint(), replica, master, 0, first, ""));
        List<Member> replicas = Info.replicas(info).stream()
                .map(at -> unopened(
                        first.endpoint().at(at.host(), at.port()),
                        first.endpoint().address()))
                .toList();
        members.addAll(opened(replicas, patience));
        return new Fleet("standalone", members);
    }

    private static Fleet ofSentinels(RedisSeeds seeds, Duration patience) {
        String name = Objects.requireNonNull(seeds.master());
        try (Connection sentinel = anyOf(seeds.sentinels(), patience)) {
            List<Reply> at =
                    sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name).items();
            if (at.size() < 2) {
                throw new UnansweredException("the Sentinels know no master " + name, null);
            }
            Endpoint master = seeds.data().at(at.get(0).text(), (int) at.get(1).number());
            List<Member> members = new ArrayList<>();
            members.add(new Member(master, false, null, 0, null, ""));
            for (Reply replica : sentinel.call("SENTINEL", "REPLICAS", name).items()) {
                Map<String, Reply> facts = replica.pairs();
                Endpoint endpoint = seeds.data()
                        .at(facts.getOrDefault("ip", new Reply.Nothing()).text(), (int)
                                facts.getOrDefault("port", new Reply.Nothing()).number());
                members.add(unopened(endpoint, master.address()));
            }
            return new Fleet("sentinel", opened(members, patience));
        }
    }

    private static Member unopened(Endpoint endpoint, String master) {
        return new Member(endpoint, true, master, 0, null, "");
    }

    /** At the same time, because each that is dead takes all the patience. */
    private static List<Member> opened(List<Member> members, Duration patience) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Member>> opening = members.stream()
                    .map(member -> CompletableFuture.supplyAsync(() -> open(member, patience), threads))
                    .toList();
            return opening.stream().map(CompletableFuture::join).toList();
        }
    }

    private static Member open(Member member, Duration patience) {
        try {
            Connection connection = Connection.open(member.endpoint(), patience);
            return new Member(member.endpoint(), member.replica(), member.master(), member.slots(), connection, "");
        } catch (UnansweredException dead) {
            return new Member(
                    member.endpoint(),
                    member.replica(),
                    member.master(),
                    member.slots(),
                    null,
                    String.valueOf(dead.getMessage()));
        }
    }

    private static Connection anyOf(List<Endpoint> seeds, Duration patience) {
        UnansweredException last = new UnansweredException("no node was named", null);
        for (Endpoint seed : seeds) {
            try {
                return Connection.open(seed, patience);
            } catch (UnansweredException dead) {
                last = dead;
            }
        }
        throw last;
    }
}
