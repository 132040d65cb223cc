package dev.hotstate.audit;

import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Activity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What all nodes were doing, together. */
final class Activities {
    private static final int MOST = 50;
    private static final int SHOWN_COMMANDS = 5;

    private Activities() {}

    static Activity of(List<NodeFacts> nodes) {
        double seconds = nodes.stream().mapToDouble(NodeFacts::seconds).max().orElse(0);
        return new Activity(
                Math.round(seconds * 1000),
                rate(nodes, "keyspace_hits", seconds),
                rate(nodes, "keyspace_misses", seconds),
                rate(nodes, "evicted_keys", seconds),
                rate(nodes, "expired_keys", seconds),
                seconds == 0
                        ? 0
                        : nodes.stream().mapToLong(NodeFacts::slowBetween).sum() * 60 / seconds,
                commands(nodes, seconds),
                slow(nodes),
                clients(nodes));
    }

    private static double rate(List<NodeFacts> nodes, String counter, double seconds) {
        return seconds == 0
                ? 0
                : nodes.stream().mapToDouble(node -> node.growth(counter)).sum() / seconds;
    }

    private static List<Activity.CommandRate> commands(List<NodeFacts> nodes, double seconds) {
        Map<String, double[]> sums = new TreeMap<>();
        for (NodeFacts node : nodes) {
            for (NodeFacts.Calls calls : node.allCalls()) {
                double[] sum = sums.computeIfAbsent(calls.command(), one -> new double[3]);
                sum[0] += calls.total();
                sum[1] += calls.between();
                sum[2] += calls.total() * calls.microsPerCall();
            }
        }
        return sums.entrySet().stream()
                .map(entry -> new Activity.CommandRate(
                        entry.getKey(),
                        (long) entry.getValue()[0],
                        seconds == 0 ? 0 : entry.getValue()[1] / seconds,
                        entry.getValue()[0] == 0 ? 0 : entry.getValue()[2] / entry.getValue()[0]))
                .sorted(Comparator.comparingDouble(Activity.CommandRate::callsPerSecond)
                        .thenComparing(Activity.CommandRate::calls)
                        .reversed()
                        .thenComparing(Activity.CommandRate::command))
                .limit(MOST)
                .toList();
    }

    private static List<Activity.SlowEntry> slow(List<NodeFacts> nodes) {
        List<Activity.SlowEntry> slow = new ArrayList<>();
        for (NodeFacts node : nodes) {
            for (NodeFacts.SlowCommand entry : node.slow()) {
                slow.add(new Activity.SlowEntry(
                        node.member().address(),
                        entry.id(),
                        Instant.ofEpochSecond(entry.at()),
                        entry.micros(),
                        words(entry.words()),
                        entry.name().isEmpty() ? entry.client() : entry.name() + " at " + entry.client()));
            }
        }
        slow.sort(Comparator.comparing(Activity.SlowEntry::at)
                .thenComparing(Activity.SlowEntry::id)
                .reversed()
                .thenComparing(Activity.SlowEntry::node));
        return slow.stream().limit(MOST).toList();
    }

    /** The command and its first argument, which mostly is a key; what follows may be anybody's data. */
    private static String words(List<String> words) {
        String shown = String.join(" ", words.subList(0, Math.min(2, words.size())));
        String cut = shown.length() > 120 ? shown.substring(0, 120) + "…" : shown;
        return words.size() > 2 ? cut + " … (" + words.size() + " words)" : cut;
    }

    private static List<Activity.ClientGroup> clients(List<NodeFacts> nodes) {
        record Who(String name, String user, String host, String library) {}
        Map<Who, Set<String>> connections = new LinkedHashMap<>();
        Map<Who, Set<String>> commands = new LinkedHashMap<>();
        for (NodeFacts node : nodes) {
            for (NodeFacts.Client client : node.clients()) {
                String address = client.field("addr");
                int colon = address.lastIndexOf(':');
                Who who = new Who(
                        client.field("name"),
                        client.field("user"),
                        colon < 0 ? address : address.substring(0, colon),
                        (client.field("lib-name") + " " + client.field("lib-ver")).trim());
                connections
                        .computeIfAbsent(who, one -> new HashSet<>())
                        .add(node.member().address() + client.field("id"));
                commands.computeIfAbsent(who, one -> new LinkedHashSet<>()).add(client.field("cmd"));
            }
        }
        return connections.entrySet().stream()
                .map(entry -> new Activity.ClientGroup(
                        entry.getKey().name(),
                        entry.getKey().user(),
                        entry.getKey().host(),
                        entry.getKey().library(),
                        entry.getValue().size(),
                        commands.getOrDefault(entry.getKey(), Set.of()).stream()
                                .limit(SHOWN_COMMANDS)
                                .toList()))
                .sorted(Comparator.comparingInt(Activity.ClientGroup::connections)
                        .reversed()
                        .thenComparing(Activity.ClientGroup::name)
                        .thenComparing(Activity.ClientGroup::host)
                        .thenComparing(Activity.ClientGroup::user))
                .limit(MOST)
                .toList();
    }
}
