package dev.hotstate.monitors;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one writer wants: changes on top of the directory, each with the next version. */
final class ChangeSet {
    private final Directory directory;
    private final Instant now;
    private final Map<String, Definition> written = new LinkedHashMap<>();
    private long last;
    private int unchanged;

    ChangeSet(Directory directory, long last, Instant now) {
        this.directory = directory;
        this.last = last;
        this.now = now;
    }

    /** As it will be; empty if it will not. */
    Optional<Definition> find(String id) {
        Definition change = written.get(id);
        return change == null ? directory.find(id) : Optional.of(change).filter(definition -> !definition.deleted());
    }

    Definition create(Monitor monitor, boolean applied) {
        long made = ++last;
        return put(new Definition(monitor, made, made, MonitorIds.pingKey(), applied, false, now, now));
    }

    /** A change to the same is none. */
    Definition change(Definition known, Monitor wanted, boolean applied) {
        return known.applied() == applied && isSame(known.monitor(), wanted)
                ? known
                : put(new Definition(
                        wanted, ++last, known.since(), known.pingKey(), applied, false, known.createdAt(), now));
    }

    Definition delete(Definition known) {
        return put(new Definition(
                known.monitor(),
                ++last,
                known.since(),
                known.pingKey(),
                known.applied(),
                true,
                known.createdAt(),
                now));
    }

    void apply(List<Monitor> monitors, boolean prune) {
        var listed = new HashSet<String>();
        for (Monitor monitor : monitors) {
            listed.add(monitor.id());
            Optional<Definition> known = find(monitor.id());
            if (known.isEmpty()) {
                create(monitor, true);
            } else if (change(known.get(), monitor, known.get().applied()) == known.get()) {
                unchanged++;
            }
        }
        if (prune) {
            directory
                    .all()
                    .filter(known -> known.applied() && !listed.contains(known.id()))
                    .toList()
                    .forEach(this::delete);
        }
    }

    /** Nothing depends any more on what is deleted here. */
    void release() {
        Set<String> gone = new HashSet<>();
        written.values().stream()
                .filter(Definition::deleted)
                .map(Definition::id)
                .forEach(gone::add);
        if (gone.isEmpty()) {
            return;
        }
        directory
                .all()
                .map(Definition::id)
                .map(this::find)
                .flatMap(Optional::stream)
                .filter(child -> child.monitor().dependsOn().stream().anyMatch(gone::contains))
                .toList()
                .forEach(child -> change(child, without(child.monitor(), gone), child.applied()));
    }

    /** In the order of their versions. */
    List<Definition> written() {
        return List.copyOf(written.values());
    }

    Applied applied() {
        var created = new ArrayList<String>();
        var updated = new ArrayList<String>();
        var deleted = new ArrayList<String>();
        var changes = new ArrayList<Applied.Change>();
        for (Definition change : written.values()) {
            Optional<Definition> before = directory.find(change.id());
            if (before.isEmpty()) {
                created.add(change.id());
            } else if (change.deleted()) {
                deleted.add(change.id());
            } else {
                updated.add(change.id());
                changes.addAll(Differences.between(before.get(), change));
            }
        }
        return new Applied(created, updated, deleted, unchanged, changes);
    }

    /** By what is written of them: an assertion is its text. */
    private static boolean isSame(Monitor one, Monitor other) {
        return MonitorDocument.of(one).equals(MonitorDocument.of(other));
    }

    private Definition put(Definition change) {
        written.remove(change.id());
        written.put(change.id(), change);
        return change;
    }

    private static Monitor without(Monitor child, Set<String> gone) {
        return child.withDependsOn(child.dependsOn().stream()
                .filter(parent -> !gone.contains(parent))
                .toList());
    }
}
