package dev.hotstate.traffic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one instance counted in each slot that is not over yet, as whole values: a flush overwrites what it wrote before,
 * so it can be repeated, and what a lost Redis forgot of these slots is written again.
 *
 * <p>A slot is kept for a minute after its end and after the last report for it; one that could not be flushed for as
 * long as anybody could ask for it. So there are at most 65 slots, whatever happens. A report that is later begins the
 * slot anew, and as a generation of its own, which is written beside what was told of it before.
 */
final class Slots {
    private static final long LINGERING_MS = 60_000;

    private final Map<Id, Slot> slots = new HashMap<>();
    private boolean changed;
    private int generations;

    /** What a slot holds; of which generation, in the name of its writer. */
    record Blob(Level level, long start, String generation, String figures) {}

    void add(Endpoint endpoint, Cell cell, long nowMs) {
        changed = true;
        for (Level level : Level.values()) {
            Slot slot = slots.computeIfAbsent(new Id(level, level.start(cell.startMs())), id -> begun(id, nowMs));
            slot.touchedMs = nowMs;
            slot.of(endpoint).add(cell.figures());
            slot.all.add(cell.figures());
        }
    }

    boolean hasChanged() {
        return changed;
    }

    /** The values of each endpoint that changed since the last time. */
    Map<Endpoint, List<Blob>> takeChanged() {
        changed = false;
        Map<Endpoint, List<Blob>> blobs = new LinkedHashMap<>();
        slots.forEach((id, slot) -> slot.endpoints.forEach((endpoint, value) -> {
            if (value.takeChange()) {
                blobs.computeIfAbsent(endpoint, e -> new ArrayList<>()).add(id.blob(slot, value));
            }
        }));
        return blobs;
    }

    /** The values over all endpoints that changed since the last time. */
    List<Blob> takeChangedOfAll() {
        List<Blob> blobs = new ArrayList<>();
        slots.forEach((id, slot) -> {
            if (slot.all.takeChange()) {
                blobs.add(id.blob(slot, slot.all));
            }
        });
        return blobs;
    }

    /** Redis has lost them: everything is written again. */
    void changeAll() {
        changed = !slots.isEmpty();
        slots.values().forEach(slot -> {
            slot.all.changed = true;
            slot.endpoints.values().forEach(value -> value.changed = true);
        });
    }

    /** An endpoint that Redis has no room for counts as {@code other}. */
    void fold(Endpoint refused) {
        changed = true;
        slots.values().forEach(slot -> {
            Value value = slot.endpoints.remove(refused);
            if (value != null) {
                slot.of(Endpoint.OTHER).add(value.figures);
            }
        });
    }

    void forget(long nowMs) {
        slots.entrySet().removeIf(entry -> {
            Level level = entry.getKey().level;
            long over = entry.getKey().overMs(nowMs);
            long idle = Math.min(over, nowMs - entry.getValue().touchedMs);
            return over > level.keptMs()
                    || idle > LINGERING_MS && !entry.getValue().hasChanged();
        });
    }

    /** A slot that may have been told of and forgotten begins another generation. */
    private Slot begun(Id id, long nowMs) {
        return new Slot(id.overMs(nowMs) > LINGERING_MS ? "+" + ++generations : "");
    }

    private record Id(Level level, long start) {
        long overMs(long nowMs) {
            return nowMs - start - level.widthMs();
        }

        Blob blob(Slot slot, Value value) {
            return new Blob(level, start, slot.generation, value.figures.toString());
        }
    }

    private static final class Slot {
        private final String generation;
        private final Map<Endpoint, Value> endpoints = new HashMap<>();
        private final Value all = new Value();
        private long touchedMs;

        Slot(String generation) {
            this.generation = generation;
        }

        Value of(Endpoint endpoint) {
            return endpoints.computeIfAbsent(endpoint, e -> new Value());
        }

        boolean hasChanged() {
            return all.changed || endpoints.values().stream().anyMatch(value -> value.changed);
        }
    }

    private static final class Value {
        private final Figures figures = new Figures();
        private boolean changed;

        void add(Figures more) {
            figures.merge(more);
            changed = true;
        }

        boolean takeChange() {
            boolean was = changed;
            changed = false;
            return was;
        }
    }
}
