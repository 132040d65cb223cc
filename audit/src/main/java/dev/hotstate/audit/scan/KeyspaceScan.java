package dev.hotstate.audit.scan;

import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.RefusedException;
import dev.hotstate.audit.wire.UnansweredException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keyspace of all nodes at the same time: every name, and then of each family those keys that were chosen; or
 * every key in depth, with its name. The part of a replica that falls silent is read anew from its master; that of another
 * node ends, and the others go on.
 */
public final class KeyspaceScan {
    private final ScanOptions options;
    private final Sources sources;
    private final List<ScanPart> parts = new ArrayList<>();
    private final Census.Plan plan;
    private final Map<String, String> lost = new ConcurrentHashMap<>();
    private final List<NotLookedAt> unread;
    private final List<NotLookedAt> notLookedAt = new CopyOnWriteArrayList<>();
    private final Crew crew;
    private final ScanPart.Reading reading;

    public KeyspaceScan(ScanOptions options, Sources sources, ScanOptions.Watcher watcher) {
        this.options = options;
        this.sources = sources;
        this.unread = new CopyOnWriteArrayList<>(sources.unread());
        this.plan = Census.Plan.of(options.schema(), options.sample(), options.seed(), options.cluster());
        this.crew = new Crew(watcher);
        this.reading = new ScanPart.Reading(options, plan, crew, notLookedAt);
    }

    public Seen run() throws InterruptedException {
        Resume resume = Resume.read(options, plan);
        for (int i = 0; i < sources.parts().size(); i++) {
            parts.add(ScanPart.of(sources.parts().get(i).node(), resume, i, reading));
        }
        long began = System.nanoTime();
        long before = parts.stream().mapToLong(part -> part.census().keys()).sum();
        crew.begin(options.full() ? "keys" : "names", total(), before);
        crew.run(IntStream.range(0, parts.size())
                .mapToObj(i -> (Runnable) () -> read(i, resume))
                .toList());
        double seconds = (System.nanoTime() - began) / 1e9;
        parts.forEach(part -> resume.write(part.left()));
        List<SeenFamily> families = families();
        if (!crew.isStopped() && !options.full()) {
            look(families);
        }
        boolean complete = unread.isEmpty() && parts.stream().allMatch(part -> part.isDone()) && !crew.isStopped();
        if (complete) {
            resume.finish();
        }
        return seen(families, complete, seconds, before);
    }

    private long total() {
        long total = 0;
        for (ScanPart part : parts) {
            total += answered(part.node(), () -> part.node().call("DBSIZE").number());
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

    private void read(int number, Resume resume) {
        read(parts.get(number));
        Connection instead = sources.parts().get(number).instead();
        if (instead != null && lost.containsKey(parts.get(number).address())) {
            // A cursor is good for the node that gave it, so the other one begins anew.
            parts.set(number, ScanPart.of(instead, resume, number, reading));
            read(parts.get(number));
        }
        ScanPart part = parts.get(number);
        String why = lost.get(part.address());
        if (why != null) {
            unread.add(Sources.unread(part.address(), why));
        }
    }

    private void read(ScanPart part) {
        if (part.isDone() || lost.containsKey(part.address())) {
            return;
        }
        answered(part.node(), () -> {
            try {
                part.run();
            } catch (RefusedException refused) {
                unread.add(new NotLookedAt("SCAN", refused.words()));
            }
            return 0;
        });
    }

    private List<SeenFamily> families() {
        parts.forEach(part -> part.census().settle());
        List<SeenFamily> families = new ArrayList<>();
        for (int i = 0; i < plan.families().size(); i++) {
            Family family = plan.families().get(i);
            Tally tally = new Tally(plan.sample(), family);
            for (ScanPart part : parts) {
                tally.addAll(part.census().declared().get(i));
            }
            Schema schema = Objects.requireNonNull(options.schema());
            families.add(new SeenFamily(
                    family.name(), schema.wholePattern(family), family.variables(), family, tally, tally.look()));
        }
        List<Discovery.Found> found = new ArrayList<>();
        parts.forEach(part -> found.addAll(part.census().discovery().found()));
        for (Discovery.Found one : Discovery.together(plan, found)) {
            families.add(new SeenFamily(
                    one.shape().pattern(),
                    one.shape().pattern(),
                    one.shape().variables(),
                    null,
                    one.tally(),
                    one.tally().look()));
        }
        return families;
    }

    private void look(List<SeenFamily> families) throws InterruptedException {
        List<@Nullable Family> declared = new ArrayList<>();
        families.forEach(family -> declared.add(family.declared()));
        Map<Integer, Deque<Looked>> byNode = new HashMap<>();
        long chosen = 0;
        for (int i = 0; i < families.size(); i++) {
            for (Sample.Chosen one : families.get(i).tally().sample().all()) {
                byNode.computeIfAbsent(one.node(), node -> new ArrayDeque<>())
                        .add(new Looked(one.name(), 0, one.name().length, i, one.hash()));
                chosen++;
            }
        }
        crew.begin("samples", chosen, 0);
        crew.run(byNode.entrySet().stream()
                .map(entry -> (Runnable)
                        () -> samples(parts.get(entry.getKey()).node(), families, declared, entry.getValue()))
                .toList());
    }

    private void samples(
            Connection node, List<SeenFamily> families, List<@Nullable Family> declared, Deque<Looked> keys) {
        String address = node.endpoint().address();
        if (lost.containsKey(address)) {
            return;
        }
        answered(node, () -> {
            Looker looker = new Looker(node, declared, options.frequencies(), false);
            looker.look(new Chosen(keys), key -> {
                synchronized (families) {
                    families.get(key.family).look().add(key);
                }
                crew.did(1);
            });
            notLookedAt.addAll(looker.notLookedAt());
            return 0;
        });
        String why = lost.get(address);
        if (why != null) {
            unread.add(Sources.unread(address, why));
        }
    }

    /** Keys that are known, as a feed. */
    private final class Chosen implements Looker.Feed {
        private final Deque<Looked> keys;

        Chosen(Deque<Looked> keys) {
            this.keys = keys;
        }

        @Override
        public @Nullable Looked next() {
            return crew.isStopped() ? null : keys.poll();
        }

        @Override
        public boolean ask() {
            return false;
        }

        @Override
        public void read() {
            throw new IllegalStateException("nothing was asked");
        }
    }

    private Seen seen(List<SeenFamily> families, boolean complete, double seconds, long before) {
        Noted foreign = new Noted();
        Noted retagged = new Noted();
        Map<String, Long> keysOf = new TreeMap<>();
        long[] slots = new long[plan.cluster() ? Slots.COUNT : 0];
        for (ScanPart part : parts) {
            foreign.addAll(part.census().foreign());
            retagged.addAll(part.census().retagged());
            keysOf.put(part.address(), part.census().keys());
            for (int i = 0; i < slots.length; i++) {
                slots[i] += part.census().slots()[i];
            }
        }
        long keys = parts.stream().mapToLong(part -> part.census().keys()).sum();
        return new Seen(
                families,
                keys,
                parts.stream().mapToLong(part -> part.census().nameBytes()).sum(),
                keysOf,
                foreign,
                retagged,
                slots,
                complete,
                parts.stream().mapToInt(part -> part.batch()).min().orElse(0),
                seconds == 0 ? 0 : (keys - before) / seconds,
                notLookedAt.stream().distinct().toList(),
                unread.stream().distinct().toList(),
                new TreeMap<>(lost));
    }
}
