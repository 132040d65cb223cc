package dev.hotstate.audit.checks;

import dev.hotstate.audit.facts.Member;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Nodes that are missing, and keys that lie unevenly over those that are there. */
final class TopologyChecks {
    private static final int SLOTS = 16_384;
    private static final double SKEWED = 1.5;
    private static final double OF_ALL = 0.1;

    /** Fewer keys lie unevenly by chance. */
    private static final long ENOUGH = 1000;

    private TopologyChecks() {}

    static Stream<Finding> findings(Grounds grounds) {
        return Stream.of(
                        down(grounds),
                        uncovered(grounds),
                        links(grounds),
                        skew(grounds),
                        ConfigChecks.findings(grounds))
                .flatMap(found -> found);
    }

    private static Stream<Finding> down(Grounds grounds) {
        List<Finding> found = new ArrayList<>();
        for (Member member : grounds.fleet().members()) {
            String why = member.isUp() ? grounds.lost().get(member.address()) : member.failure();
            if (why != null) {
                found.add(Draw.of(Rules.NODE_DOWN)
                        .on(member.address())
                        .as(member.replica() && member.slots() == 0 ? Severity.WARNING : Severity.ERROR)
                        .says((member.replica() ? "the replica " : "the master ") + member.address()
                                + (member.slots() > 0 ? " with " + Draw.count(member.slots(), "slot") : "")
                                + " does not answer: " + why));
            }
        }
        return found.stream();
    }

    private static Stream<Finding> uncovered(Grounds grounds) {
        if (!grounds.fleet().isCluster()) {
            return Stream.of();
        }
        int served = grounds.fleet().members().stream()
                .filter(member -> member.isUp() && !grounds.lost().containsKey(member.address()))
                .mapToInt(Member::slots)
                .sum();
        return served >= SLOTS
                ? Stream.of()
                : Stream.of(Draw.of(Rules.SLOTS_UNCOVERED)
                        .number("slots", SLOTS - served)
                        .says(Draw.count(SLOTS - served, "slot") + " of 16,384 are served by no master that answers"));
    }

    private static Stream<Finding> links(Grounds grounds) {
        return grounds.facts().stream()
                .filter(node -> "down".equals(node.info().get("master_link_status")))
                .map(node -> Draw.of(Rules.REPLICA_LINK_DOWN)
                        .on(node.member().address())
                        .number("seconds", node.number("master_link_down_since_seconds"))
                        .says(node.member().address() + " has had no link to its master "
                                + node.info().getOrDefault("master_host", "") + ":"
                                + node.info().getOrDefault("master_port", "") + " for "
                                + Math.max(0, node.number("master_link_down_since_seconds")) + " s"));
    }

    private static Stream<Finding> skew(Grounds grounds) {
        if (!grounds.fleet().isCluster() || grounds.seen().keys() < ENOUGH) {
            return Stream.of();
        }
        List<Finding> found = new ArrayList<>();
        Map<String, Long> keys = grounds.seen().keysOf();
        double average = (double) grounds.seen().keys() / Math.max(1, keys.size());
        keys.forEach((node, count) -> {
            if (keys.size() > 1 && count > SKEWED * average) {
                String master = master(grounds, node);
                found.add(Draw.of(Rules.SLOT_SKEW)
                        .on(master)
                        .number("keys", count)
                        .number("average", average)
                        .says(String.format(
                                Locale.ROOT, "%s has %,d keys, the average node %,.0f", master, count, average)));
            }
        });
        memory(grounds, found);
        slots(grounds, found);
        return found.stream();
    }

    /** Whose keys they are, wherever they were read: the finding is the same one, whichever copy answers. */
    private static String master(Grounds grounds, String address) {
        return grounds.fleet().members().stream()
                .filter(member -> member.address().equals(address))
                .map(Member::master)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(address);
    }

    private static void memory(Grounds grounds, List<Finding> found) {
        List<NodeFacts> read = grounds.facts().stream()
                .filter(node ->
                        grounds.seen().keysOf().containsKey(node.member().address()))
                .toList();
        double average = read.stream()
                .mapToLong(node -> node.number("used_memory"))
                .average()
                .orElse(0);
        for (NodeFacts node : read) {
            long used = node.number("used_memory");
            if (read.size() > 1 && used > SKEWED * average) {
                found.add(Draw.of(Rules.SLOT_SKEW)
                        .on(node.member().address() + " memory")
                        .number("used", used)
                        .number("average", average)
                        .says(node.member().address() + " uses " + Draw.bytes(used) + ", the average node "
                                + Draw.bytes(average)));
            }
        }
    }

    private static void slots(Grounds grounds, List<Finding> found) {
        long[] slots = grounds.seen().slots();
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] > OF_ALL * grounds.seen().keys()) {
                found.add(Draw.of(Rules.SLOT_SKEW)
                        .on("slot " + slot)
                        .number("keys", slots[slot])
                        .says(String.format(
                                Locale.ROOT,
                                "slot %d has %,d keys, %s of all",
                                slot,
                                slots[slot],
                                Draw.percent(
                                        (double) slots[slot] / grounds.seen().keys()))));
            }
        }
    }
}
