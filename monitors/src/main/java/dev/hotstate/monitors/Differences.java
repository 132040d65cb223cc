package dev.hotstate.monitors;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** Field by field, what is another one now. Secrets are compared as they are and told masked. */
final class Differences {
    private Differences() {}

    static List<Applied.Change> between(Definition before, Definition after) {
        var old = MonitorDocument.of(before.monitor());
        var now = MonitorDocument.of(after.monitor());
        var from = DocumentJson.fields(old);
        var to = DocumentJson.fields(now);
        var shownFrom = DocumentJson.fields(old.masked());
        var shownTo = DocumentJson.fields(now.masked());
        var names = new TreeSet<>(from.keySet());
        names.addAll(to.keySet());
        var changes = new ArrayList<Applied.Change>();
        for (String name : names) {
            if (!Objects.equals(from.get(name), to.get(name))) {
                changes.add(new Applied.Change(after.id(), name, shownFrom.get(name), shownTo.get(name)));
            }
        }
        if (before.applied() != after.applied()) {
            changes.add(new Applied.Change(
                    after.id(), "applied", String.valueOf(before.applied()), String.valueOf(after.applied())));
        }
        return changes;
    }
}
