package dev.hotstate.server.limits;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a set of rules when another takes its place, by their ids.
 *
 * @param changes each field of an updated rule that is another one now
 */
record RuleDiff(List<String> created, List<String> updated, List<String> deleted, int unchanged, List<Change> changes) {

    /** A field that is not said before, or after, is null there. */
    record Change(
            String id,
            String field,
            @Nullable String from,
            @Nullable String to) {}

    boolean isChange() {
        return !(created.isEmpty() && updated.isEmpty() && deleted.isEmpty());
    }

    static RuleDiff between(RuleSet before, RuleSet after) {
        var old = byId(before);
        var now = byId(after);
        var both = now.keySet().stream().filter(old::containsKey).toList();
        var changes = both.stream()
                .flatMap(id -> changes(id, fields(old, id), fields(now, id)).stream())
                .toList();
        var updated = changes.stream().map(Change::id).distinct().toList();
        return new RuleDiff(
                without(now, old), updated, without(old, now), both.size() - updated.size(), List.copyOf(changes));
    }

    private static Map<String, RuleDocument> byId(RuleSet set) {
        return set.documents().stream()
                .collect(Collectors.toMap(
                        rule -> String.valueOf(rule.id()), Function.identity(), (one, two) -> one, TreeMap::new));
    }

    private static List<String> without(Map<String, RuleDocument> some, Map<String, RuleDocument> others) {
        return some.keySet().stream().filter(id -> !others.containsKey(id)).toList();
    }

    private static Map<String, String> fields(Map<String, RuleDocument> rules, String id) {
        return Objects.requireNonNull(rules.get(id)).fields();
    }

    private static List<Change> changes(String id, Map<String, String> from, Map<String, String> to) {
        var names = new LinkedHashSet<>(to.keySet());
        names.addAll(from.keySet());
        var changes = new ArrayList<Change>();
        for (var name : names) {
            if (!Objects.equals(from.get(name), to.get(name))) {
                changes.add(new Change(id, name, from.get(name), to.get(name)));
            }
        }
        return changes;
    }
}
