package dev.hotstate.audit.scan;

import dev.hotstate.audit.names.Matcher;
import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Names;
import dev.hotstate.audit.wire.UnansweredException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keyspace of all nodes at the same time: first every name, then of each family those keys that were chosen, or
 * all. A node that falls silent ends its own part; the others go on.
 */
public final class KeyspaceScan {
    /** Keys whose answers are folded at once. */
    private static final int AT_ONCE = 64;

    private final ScanOptions options;
    private final List<Connection> nodes;
    private final Census.Plan plan;
    private final Map<String, String> lost = new ConcurrentHashMap<>();
    private final List<NotLookedAt> notLookedAt = new CopyOnWriteArrayList<>();
    private final Crew crew;

    /** @param nodes one for each part of the keyspace */
    public KeyspaceScan(ScanOptions options, List<Connection> nodes, ScanOptions.Watcher watcher) {
        this.options = options;
        this.nodes = nodes;
        this.plan = Census.Plan.of(options.schema(), options.sample(), options.seed(), options.cluster());
        this.crew = new Crew(watcher);
    }

    public Seen run() throws InterruptedException {
        Resume resume = Resume.read(options.resume(), plan);
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            parts.add(
                    new Part(nodes.get(i), resume.census(nodes.get(i).endpoint().address(), plan, i)));
            parts.getLast().scan.from(resume.cursor(nodes.get(i).endpoint().address()));
            parts.getLast().done = resume.isDone(nodes.get(i).endpoint().address());
        }
        long began = System.nanoTime();
        long before = parts.stream().mapToLong(part -> part.census.keys()).sum();
        crew.begin("names", total(), before);
        crew.run(parts.stream().map(part -> (Runnable) () -> names(part)).toList());
        double seconds = (System.nanoTime() - began) / 1e9;
        boolean complete = parts.stream().allMatch(part -> part.done);
        resume.leave(complete, plan, parts.stream().map(Part::left).toList());
        List<SeenFamily> families = families(parts);
        if (!crew.isStopped()) {
            look(families, parts);
        }
        return seen(parts, families, complete, seconds, before);
    }

    private final class Part {
        private final Connection node;
        private final Census census;
        private final KeyScan scan;
        private boolean done;

        Part(Connection node, Census census) {
            this.node = node;
            this.census = census;
            this.scan = new KeyScan(node, options.latency());
        }

        Resume.Left left() {
            return new Resume.Left(node.endpoint().address(), done ? 0 : scan.cursor(), done, census);
        }
    }

    private long total() {
        long total = 0;
        for (Connection node : nodes) {
            total += answered(node, () -> node.call("DBSIZE").number());
        }
        return total;
    }

    private interface Question {
        long ask();
    }

    private long answered(Connection node, Question question) {
        try {
            return question.ask();
        } catch (UnansweredException silent) {
            lost.put(node.endpoint().address(), String.valueOf(silent.getMessage()));
            return 0;
        }
    }

    private void names(Part part) {
        if (part.done || lost.containsKey(part.node.endpoint().address())) {
            return;
        }
        answered(part.node, () -> {
            part.done = part.scan.run(names -> {
                part.census.add(names);
                return crew.did(names.count());
            });
            return 0;
        });
    }

    private List<SeenFamily> families(List<Part> parts) {
        List<SeenFamily> families = new ArrayList<>();
        for (int i = 0; i < plan.families().size(); i++) {
            Family family = plan.families().get(i);
            Tally tally = new Tally(plan.sample());
            for (Part part : parts) {
                tally.addAll(part.census.declared().get(i));
            }
            Schema schema = Objects.requireNonNull(options.schema());
            families.add(new SeenFamily(
                    family.name(),
                    schema.wholePattern(family),
                    family.variables(),
                    family,
                    tally,
                    new FamilyLook(family)));
        }
        List<Discovery.Found> found = new ArrayList<>();
        parts.forEach(part -> found.addAll(part.census.discovery().found()));
        for (Discovery.Found one : Discovery.together(plan, found)) {
            families.add(new SeenFamily(
                    one.shape().pattern(),
                    one.shape().pattern(),
                    one.shape().variables(),
                    null,
                    one.tally(),
                    new FamilyLook(null)));
        }
        return families;
    }

    private void look(List<SeenFamily> families, List<Part> parts) throws InterruptedException {
        List<@Nullable Family> declared = new ArrayList<>();
        families.forEach(family -> declared.add(family.declared()));
        if (options.full()) {
            crew.begin(
                    "keys", parts.stream().mapToLong(part -> part.census.keys()).sum(), 0);
            Families index = new Families(families);
            crew.run(parts.stream()
                    .map(part -> (Runnable) () -> all(part.node, families, declared, index))
                    .toList());
            return;
        }
        Map<Integer, List<Looked>> byNode = new HashMap<>();
        long chosen = 0;
        for (int i = 0; i < families.size(); i++) {
            for (Sample.Chosen one : families.get(i).tally().sample().all()) {
                byNode.computeIfAbsent(one.node(), node -> new ArrayList<>())
                        .add(new Looked(one.name(), 0, one.name().length, i, one.hash()));
                chosen++;
            }
        }
        crew.begin("samples", chosen, 0);
        crew.run(byNode.entrySet().stream()
                .map(entry -> (Runnable) () -> samples(nodes.get(entry.getKey()), families, declared, entry.getValue()))
                .toList());
    }

    private void samples(
            Connection node, List<SeenFamily> families, List<@Nullable Family> declared, List<Looked> keys) {
        answered(node, () -> {
            Looker looker = new Looker(node, declared, options.frequencies(), false);
            boolean go = true;
            for (int from = 0; go && from < keys.size(); from += AT_ONCE) {
                List<Looked> some = keys.subList(from, Math.min(keys.size(), from + AT_ONCE));
                go = lookAndFold(looker, families, some);
            }
            notLookedAt.addAll(looker.notLookedAt());
            return 0;
        });
    }

    private void all(Connection node, List<SeenFamily> families, List<@Nullable Family> declared, Families index) {
        answered(node, () -> {
            Looker looker = new Looker(node, declared, options.frequencies(), true);
            // The answers to a batch are awaited before the next one is asked for: the same connection carries both.
            FullScan scan = new FullScan(node, options.latency());
            scan.run(names -> lookAndFold(looker, families, looked(names, index)));
            notLookedAt.addAll(looker.notLookedAt());
            return 0;
        });
    }

    private List<Looked> looked(Names names, Families index) {
        List<Looked> keys = new ArrayList<>(names.count());
        byte[] bytes = names.bytes();
        for (int i = 0; i < names.count(); i++) {
            int family = index.of(bytes, names.from(i), names.to(i));
            if (family != Matcher.NONE) {
                long hash = NameHash.of(plan.seed(), bytes, names.from(i), names.to(i));
                keys.add(new Looked(bytes, names.from(i), names.to(i), family, hash));
            }
        }
        return keys;
    }

    private boolean lookAndFold(Looker looker, List<SeenFamily> families, List<Looked> keys) {
        looker.look(keys);
        synchronized (families) {
            keys.forEach(key -> families.get(key.family).look().add(key));
        }
        return crew.did(keys.size());
    }

    /** The declared family of a name, or else the one that was found. */
    private final class Families {
        private final int declared;
        private final Matcher found;

        Families(List<SeenFamily> families) {
            this.declared = plan.families().size();
            this.found = new Matcher(families.stream()
                    .skip(declared)
                    .map(family -> Pattern.parse(family.pattern(), family.variables()))
                    .toList());
        }

        int of(byte[] bytes, int from, int to) {
            int family = plan.matcher().match(bytes, from, to);
            if (family != Matcher.NONE) {
                return family;
            }
            int other = found.match(bytes, from, to);
            return other == Matcher.NONE ? other : declared + other;
        }
    }

    private Seen seen(List<Part> parts, List<SeenFamily> families, boolean complete, double seconds, long before) {
        Noted foreign = new Noted();
        Noted retagged = new Noted();
        Map<String, Long> keysOf = new TreeMap<>();
        long[] slots = new long[plan.cluster() ? Slots.COUNT : 0];
        for (Part part : parts) {
            foreign.addAll(part.census.foreign());
            retagged.addAll(part.census.retagged());
            keysOf.put(part.node.endpoint().address(), part.census.keys());
            for (int i = 0; i < slots.length; i++) {
                slots[i] += part.census.slots()[i];
            }
        }
        long keys = parts.stream().mapToLong(part -> part.census.keys()).sum();
        return new Seen(
                families,
                keys,
                keysOf,
                foreign,
                retagged,
                slots,
                complete && !crew.isStopped() && lost.isEmpty(),
                parts.stream().mapToInt(part -> part.scan.batch()).min().orElse(0),
                seconds == 0 ? 0 : (keys - before) / seconds,
                notLookedAt.stream().distinct().toList(),
                new TreeMap<>(lost));
    }
}
