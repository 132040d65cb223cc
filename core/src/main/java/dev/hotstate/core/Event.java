package dev.hotstate.core;

import java.util.Comparator;
import java.util.Optional;

/**
 * Something that happened, for whoever watches.
 *
 * @param id where to resume from; empty for what cannot be resumed
 * @param name {@code topic.verb}, or {@link #RESET}
 * @param json its data
 */
public record Event(Optional<String> id, String name, String json) {
    /** Something was missed: what is shown must be read anew. */
    public static final String RESET = "reset";

    static final Comparator<Event> IN_ORDER = Comparator.comparingLong(Event::order);

    static Event of(String id, String topic, String verb, String json) {
        return new Event(Optional.of(id), topic + "." + verb, json);
    }

    static Event reset() {
        return new Event(Optional.empty(), RESET, "{}");
    }

    boolean isReset() {
        return id.isEmpty();
    }

    String topic() {
        return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    /** The place in the order over all topics. */
    long order() {
        return id.map(Event::order).orElse(0L);
    }

    /** @throws NumberFormatException when it is no event's id */
    static long order(String id) {
        int dash = id.indexOf('-');
        return Long.parseLong(dash < 0 ? id : id.substring(0, dash));
    }
}
