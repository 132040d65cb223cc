package dev.hotstate.audit.facts;

import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import dev.hotstate.audit.wire.UnansweredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Asks nodes for what they know of themselves. What is refused is noted once, and the rest goes on. */
public final class FactsReader {
    private static final int SLOW = 128;

    /** Beyond this many, CLIENT LIST is asked for twice only: it takes its time on the server. */
    private static final long MANY_CLIENTS = 1000;

    private static final Duration BETWEEN_CLIENT_LISTS = Duration.ofMillis(250);

    private final Map<String, NotLookedAt> notLookedAt = new TreeMap<>();
    private final Map<Member, String> lost = new LinkedHashMap<>();

    /** Waits in a test too, so that what is measured is. */
    @FunctionalInterface
    public interface Pause {
        /** @return whether to go on watching */
        boolean sleep(Duration time) throws InterruptedException;
    }

    /** @param watch between the two looks; none for no rates */
    public List<NodeFacts> read(List<Member> members, Duration watch, Pause pause) throws InterruptedException {
        Map<Member, Map<String, String>> first = new LinkedHashMap<>();
        Map<Member, Long> slowFirst = new LinkedHashMap<>();
        Map<Member, List<NodeFacts.Client>> clients = new LinkedHashMap<>();
        long began = System.nanoTime();
        for (Member member : members) {
            ask(member, node -> {
                first.put(member, info(node));
                slowFirst.put(
                        member,
                        slow(node).stream()
                                .mapToLong(NodeFacts.SlowCommand::id)
                                .max()
                                .orElse(-1));
                clients.put(member, new ArrayList<>(clients(node)));
            });
        }
        watch(first, clients, watch, pause);
        double seconds = (System.nanoTime() - began) / 1e9;
        List<NodeFacts> facts = new ArrayList<>();
        for (Member member : first.keySet()) {
            ask(
                    member,
                    node -> facts.add(facts(
                            member,
                            node,
                            first.getOrDefault(member, Map.of()),
                            watch.isZero() ? 0 : seconds,
                            clients.getOrDefault(member, List.of()),
                            slowFirst.getOrDefault(member, -1L))));
        }
        return facts;
    }

    public List<NotLookedAt> notLookedAt() {
        return List.copyOf(notLookedAt.values());
    }

    /** Nodes that stopped answering, and what they said last. */
    public Map<Member, String> lost() {
        return lost;
    }

    private void watch(
            Map<Member, Map<String, String>> first,
            Map<Member, List<NodeFacts.Client>> clients,
            Duration watch,
            Pause pause)
            throws InterruptedException {
        long end = System.nanoTime() + watch.toNanos();
        for (long left = watch.toNanos(); left > 0; left = end - System.nanoTime()) {
            if (!pause.sleep(Duration.ofNanos(Math.min(left, BETWEEN_CLIENT_LISTS.toNanos())))) {
                return;
            }
            first.forEach((member, info) -> {
                if (Info.number(info, "connected_clients") < MANY_CLIENTS) {
                    ask(
                            member,
                            node -> clients.getOrDefault(member, new ArrayList<>())
                                    .addAll(clients(node)));
                }
            });
        }
    }

    private interface Question {
        void ask(Connection node);
    }

    private void ask(Member member, Question question) {
        Connection node = member.connection();
        if (node == null || lost.containsKey(member)) {
            return;
        }
        try {
            question.ask(node);
        } catch (UnansweredException silent) {
            lost.put(member, String.valueOf(silent.getMessage()));
        }
    }

    private NodeFacts facts(
            Member member,
            Connection node,
            Map<String, String> first,
            double seconds,
            List<NodeFacts.Client> clients,
            long slowFirst) {
        List<NodeFacts.SlowCommand> slow = slow(node);
        return new NodeFacts(
                member,
                first,
                seconds == 0 ? first : info(node),
                seconds,
                config(node),
                users(node),
                refusals(node),
                clients,
                slow,
                slow.stream().filter(entry -> entry.id() > slowFirst).count(),
                now(node));
    }

    private Map<String, String> info(Connection node) {
        Reply all = node.call("INFO", "all");
        note("INFO", all);
        return Info.parse(all);
    }

    private Map<String, String> config(Connection node) {
        Map<String, String> config = new TreeMap<>();
        List<Reply> replies = node.callAll(Settings.READ.stream()
                .map(name -> new String[] {"CONFIG", "GET", name})
                .toList());
        for (Reply reply : replies) {
            if (note("CONFIG GET", reply)) {
                return Map.of();
            }
            reply.pairs().forEach((name, value) -> config.put(name, KeyName.shown(value.text())));
        }
        return config;
    }

    private List<AclUser> users(Connection node) {
        Reply list = node.call("ACL", "LIST");
        note("ACL LIST", list);
        return list.items().stream().map(line -> AclUser.parse(line.text())).toList();
    }

    private List<NodeFacts.AclRefusal> refusals(Connection node) {
        Reply log = node.call("ACL", "LOG");
        note("ACL LOG", log);
        return log.items().stream()
                .map(Reply::pairs)
                .map(entry -> new NodeFacts.AclRefusal(
                        text(entry, "reason"), text(entry, "object"), text(entry, "username"), number(entry, "count")))
                .toList();
    }

    private List<NodeFacts.Client> clients(Connection node) {
        Reply list = node.call("CLIENT", "LIST");
        if (note("CLIENT LIST", list)) {
            return List.of();
        }
        List<NodeFacts.Client> clients = new ArrayList<>();
        for (String line : list.text().split("\n")) {
            Map<String, String> fields = new LinkedHashMap<>();
            for (String field : line.trim().split(" ")) {
                int equals = field.indexOf('=');
                if (equals > 0) {
                    fields.put(field.substring(0, equals), KeyName.shown(field.substring(equals + 1)));
                }
            }
            if (!fields.isEmpty()) {
                clients.add(new NodeFacts.Client(fields));
            }
        }
        return clients;
    }

    private List<NodeFacts.SlowCommand> slow(Connection node) {
        Reply log = node.call("SLOWLOG", "GET", Integer.toString(SLOW));
        note("SLOWLOG GET", log);
        return log.items().stream()
                .map(Reply::items)
                .filter(entry -> entry.size() >= 4)
                .map(entry -> new NodeFacts.SlowCommand(
                        entry.get(0).number(),
                        entry.get(1).number(),
                        entry.get(2).number(),
                        entry.get(3).items().stream()
                                .map(word -> word instanceof Reply.Text text ? KeyName.shown(text.bytes()) : "")
                                .toList(),
                        entry.size() > 4 ? KeyName.shown(entry.get(4).text()) : "",
                        entry.size() > 5 ? KeyName.shown(entry.get(5).text()) : ""))
                .toList();
    }

    private long now(Connection node) {
        Reply time = node.call("TIME");
        note("TIME", time);
        return time.items().isEmpty() ? 0 : time.items().getFirst().number();
    }

    /** @return whether it was refused */
    private boolean note(String what, @Nullable Reply reply) {
        if (reply instanceof Reply.Refused refused) {
            notLookedAt.putIfAbsent(what, new NotLookedAt(what, KeyName.shown(refused.words())));
            return true;
        }
        return false;
    }

    private static String text(Map<String, Reply> entry, String field) {
        return KeyName.shown(entry.getOrDefault(field, new Reply.Nothing()).text());
    }

    private static long number(Map<String, Reply> entry, String field) {
        return entry.getOrDefault(field, new Reply.Nothing()).number();
    }
}
