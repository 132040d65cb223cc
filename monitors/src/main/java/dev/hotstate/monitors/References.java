package dev.hotstate.monitors;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What monitors name must exist, and none may depend on itself by way of others. */
final class References {
    private final ChangeSet changes;
    private final Set<String> missingChannels;
    private final Flaws flaws = new Flaws();
    // From these no cycle is reached; each monitor is walked once, however many lead to it.
    private final Set<String> cleared = new HashSet<>();

    private References(ChangeSet changes, Set<String> missingChannels) {
        this.changes = changes;
        this.missingChannels = missingChannels;
    }

    static void check(Monitor monitor, ChangeSet changes, Set<String> missingChannels) {
        var references = new References(changes, missingChannels);
        references.look("", monitor);
        references.flaws.refuse();
    }

    /** @throws InvalidDocumentException whose fields begin with the monitor's place in the list */
    static void check(List<Monitor> monitors, ChangeSet changes, Set<String> missingChannels) {
        var references = new References(changes, missingChannels);
        for (int i = 0; i < monitors.size(); i++) {
            references.look("[" + i + "].", monitors.get(i));
        }
        references.flaws.refuse();
    }

    private void look(String place, Monitor monitor) {
        exist(place + "depends_on", monitor.dependsOn(), id -> changes.find(id).isPresent(), "monitor");
        exist(place + "alerts", monitor.alerts(), id -> !missingChannels.contains(id), "channel");
        refuseCycle(place, monitor);
    }

    private void exist(String field, List<String> ids, Predicate<String> exists, String what) {
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            flaws.that(exists.test(id), field + "[" + i + "]", "there is no " + what + " \"" + id + "\"");
        }
    }

    /** Depth first, without recursion: a chain may be as long as there are monitors. */
    private void refuseCycle(String place, Monitor start) {
        Map<String, Iterator<String>> path = new LinkedHashMap<>();
        Deque<String> stack = new ArrayDeque<>();
        enter(start.id(), path, stack);
        while (!stack.isEmpty()) {
            Iterator<String> parents = Objects.requireNonNull(path.get(stack.peek()));
            if (!parents.hasNext()) {
                cleared.add(stack.peek());
                path.remove(stack.pop());
                continue;
            }
            String parent = parents.next();
            if (path.containsKey(parent)) {
                flaws.add(new Flaw(place + "depends_on", "makes a cycle: " + cycle(path.keySet(), parent)));
                cleared.addAll(path.keySet());
                return;
            }
            enter(parent, path, stack);
        }
    }

    private void enter(String id, Map<String, Iterator<String>> path, Deque<String> stack) {
        if (!cleared.contains(id)) {
            List<String> parents = changes.find(id)
                    .map(definition -> definition.monitor().dependsOn())
                    .orElse(List.of());
            path.put(id, parents.iterator());
            stack.push(id);
        }
    }

    private static String cycle(Set<String> path, String back) {
        return path.stream().dropWhile(id -> !id.equals(back)).collect(Collectors.joining(" -> ")) + " -> " + back;
    }
}
