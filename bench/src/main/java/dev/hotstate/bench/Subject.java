package dev.hotstate.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * One side of a comparison.
 *
 * @param name us or a peer, and the size of the task where it varies: {@code script, 64 threads}
 * @param slice does the work for a while and says what it measured
 * @param references for a metric, the name of the subject that it is set in ratio to
 */
public record Subject(String name, Slice slice, Map<Metric, String> references) {

    @FunctionalInterface
    public interface Slice {
        /** @return each metric of the subject, the same ones each time */
        Map<Metric, Double> run(Duration length);
    }

    public Subject {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a subject needs a name");
        }
        if (references.containsValue(name)) {
            throw new IllegalArgumentException(name + " cannot be its own reference");
        }
        references = Map.copyOf(references);
    }

    public Subject(String name, Slice slice) {
        this(name, slice, Map.of());
    }

    /** The same subject, with this metric set in ratio to another's. */
    public Subject against(String reference, Metric metric) {
        Map<Metric, String> more = new HashMap<>(references);
        more.put(metric, reference);
        return new Subject(name, slice, more);
    }
}
