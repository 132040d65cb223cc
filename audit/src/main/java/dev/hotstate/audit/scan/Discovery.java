package dev.hotstate.audit.scan;

import dev.hotstate.audit.names.Draft;
import dev.hotstate.audit.names.Matcher;
import dev.hotstate.audit.names.Shape;
import dev.hotstate.audit.schema.Variable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sorts names that no schema speaks of into the shapes that they have. The first ones wait until there are enough to
 * draft shapes from; later ones are counted by these, and those that fit none wait again. So memory is bounded whatever
 * the keyspace is.
 */
final class Discovery {
    /** Enough to tell words from ids, and few enough to be drafted in some tens of milliseconds. */
    static final int KEPT = 4_000;

    /** What would be more is one family of others. */
    private static final int MOST_SHAPES = 400;

    private static final Shape OTHERS =
            new Shape("others", "<rest>", List.of(new Variable("rest", Variable.Kind.REST, 0)));

    private final Census.Plan plan;
    private final List<Shape> shapes = new ArrayList<>();
    private final List<Tally> tallies = new ArrayList<>();
    private Matcher matcher = new Matcher(List.of());
    private final Tally others;

    /** A shape and what was counted under it. */
    record Found(Shape shape, Tally tally) {}

    Discovery(Census.Plan plan) {
        this.plan = plan;
        this.others = new Tally(plan.sample(), null);
    }

    /** @return where a name is counted; null if it must wait for shapes to be drafted */
    @Nullable
    Tally of(byte[] bytes, int from, int to) {
        int shape = matcher.match(bytes, from, to);
        if (shape != Matcher.NONE) {
            return tallies.get(shape);
        }
        return shapes.size() >= MOST_SHAPES ? others : null;
    }

    /** After this each of these names has its place. */
    void draft(List<byte[]> names) {
        add(Draft.of(names));
    }

    /** Everything that was counted, by shape. */
    List<Found> found() {
        List<Found> found = new ArrayList<>();
        for (int i = 0; i < shapes.size(); i++) {
            found.add(new Found(shapes.get(i), tallies.get(i)));
        }
        if (others.count() > 0) {
            found.add(new Found(OTHERS, others));
        }
        return found;
    }

    /** Sets in the place of what was counted before a stop. */
    void restore(List<Found> known) {
        add(known.stream()
                .map(Found::shape)
                .filter(shape -> !shape.equals(OTHERS))
                .toList());
        for (int i = 0; i < known.size(); i++) {
            (i < tallies.size() ? tallies.get(i) : others).addAll(known.get(i).tally);
        }
    }

    private void add(List<Shape> more) {
        more.forEach(shape -> {
            shapes.add(shape);
            tallies.add(new Tally(plan.sample(), null));
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
            tallies.computeIfAbsent(mostly(matcher, found.tally), one -> new Tally(plan.sample(), null))
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
}
