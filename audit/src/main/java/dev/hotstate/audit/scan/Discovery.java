package dev.hotstate.audit.scan;

import dev.hotstate.audit.names.Draft;
import dev.hotstate.audit.names.Matcher;
import dev.hotstate.audit.names.Shape;
import dev.hotstate.audit.schema.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts names that no schema speaks of into the shapes that they have. The first ones are kept until there are enough to
 * draft shapes from; later ones are counted by these, and those that fit none are kept again. So memory is bounded
 * whatever the keyspace is.
 */
final class Discovery {
    /** Enough to tell words from ids; some megabytes. */
    private static final int KEPT = 20_000;

    /** What would be more is one family of others. */
    private static final int MOST_SHAPES = 400;

    private final Census.Plan plan;
    private final int node;
    private final List<Shape> shapes = new ArrayList<>();
    private final List<Tally> tallies = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private Matcher matcher = new Matcher(List.of());
    private final Tally others;

    private record Waiting(long hash, byte[] name, boolean misnamed) {}

    /** A shape and what was counted under it. */
    record Found(Shape shape, Tally tally) {}

    Discovery(Census.Plan plan, int node) {
        this.plan = plan;
        this.node = node;
        this.others = new Tally(plan.sample());
    }

    void add(long hash, byte[] bytes, int from, int to, boolean misnamed) {
        int shape = matcher.match(bytes, from, to);
        if (shape != Matcher.NONE) {
            count(tallies.get(shape), hash, bytes, from, to, misnamed);
        } else if (shapes.size() >= MOST_SHAPES) {
            count(others, hash, bytes, from, to, misnamed);
        } else {
            waiting.add(new Waiting(hash, Arrays.copyOfRange(bytes, from, to), misnamed));
            if (waiting.size() >= KEPT) {
                draft();
            }
        }
    }

    /** Everything that was counted, by shape. */
    List<Found> found() {
        draft();
        List<Found> found = new ArrayList<>();
        for (int i = 0; i < shapes.size(); i++) {
            found.add(new Found(shapes.get(i), tallies.get(i)));
        }
        if (others.count() > 0) {
            found.add(new Found(
                    new Shape("others", "<rest>", List.of(new Variable("rest", Variable.Kind.REST, 0))), others));
        }
        return found;
    }

    /** Sets in the place of what was counted before a stop. */
    void restore(List<Found> known) {
        known.forEach(one -> {
            shapes.add(one.shape);
            tallies.add(one.tally);
        });
        matcher = new Matcher(shapes.stream().map(Shape::parsed).toList());
    }

    /**
     * What several nodes, or several drafts of one, have found: drafted anew from their samples together, each old shape
     * going where its own sample mostly goes.
     */
    static List<Found> together(Census.Plan plan, List<Found> all) {
        List<byte[]> names = all.stream()
                .flatMap(found -> found.tally.sample().names().stream())
                .toList();
        List<Shape> shapes = Draft.of(names);
        Matcher matcher = new Matcher(shapes.stream().map(Shape::parsed).toList());
        Map<Integer, Tally> tallies = new LinkedHashMap<>();
        for (Found found : all) {
            tallies.computeIfAbsent(mostly(matcher, found.tally), one -> new Tally(plan.sample()))
                    .addAll(found.tally);
        }
        return tallies.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new Found(shapes.get(entry.getKey()), entry.getValue()))
                .toList();
    }

    private static int mostly(Matcher matcher, Tally tally) {
        Map<Integer, Integer> votes = new LinkedHashMap<>();
        tally.sample().names().forEach(name -> votes.merge(matcher.match(name), 1, Integer::sum));
        return votes.entrySet().stream()
                .max(Map.Entry.<Integer, Integer>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    private void draft() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Shape> drafted = Draft.of(waiting.stream().map(Waiting::name).toList());
        drafted.forEach(shape -> {
            shapes.add(shape);
            tallies.add(new Tally(plan.sample()));
        });
        matcher = new Matcher(shapes.stream().map(Shape::parsed).toList());
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        for (Waiting one : all) {
            int shape = matcher.match(one.name);
            count(tallies.get(shape), one.hash, one.name, 0, one.name.length, one.misnamed);
        }
    }

    private void count(Tally tally, long hash, byte[] bytes, int from, int to, boolean misnamed) {
        tally.add(hash, bytes, from, to, node);
        if (misnamed) {
            tally.misname(hash, bytes, from, to);
        }
    }
}
