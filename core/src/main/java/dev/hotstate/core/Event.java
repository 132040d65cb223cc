package dev.hotstate.core;

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

    String topic() {
        return name.substring(0, Math.max(0, name.indexOf('.')));
    }

    /** The place in the order over all topics. */
    long order() {
        return id.map(text -> Long.parseLong(text.substring(0, text.indexOf('-'))))
                .orElse(Long.MAX_VALUE);
    }

    static Event reset() {
        return new Event(Optional.empty(), RESET, "{}");
    }
}
