package dev.hotstate.monitors.alert;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of one attempt to send a message. */
sealed interface Verdict {
    /** @param note what was not quite right, if anything */
    record Delivered(@Nullable String note) implements Verdict {}

    /** @param retryAfter how long the other side asks to be left alone, or zero */
    record Failed(String error, Duration retryAfter) implements Verdict {
        Failed(String error) {
            this(error, Duration.ZERO);
        }
    }

    /** No further attempt can do better. */
    record Hopeless(String error) implements Verdict {}
}
