package dev.hotstate.monitors.alert;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is told of an incident.
 *
 * @param sequence 0, or of a reminder which one it is
 * @param error why the last check failed, as far as known
 */
public record Alert(
        Kind kind,
        int sequence,
        long incident,
        Subject monitor,
        long failureCount,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String error) {

    public enum Kind {
        OPENED("incident.opened"),
        CLOSED("incident.closed"),
        REMINDER("incident.reminder");

        private final String event;

        Kind(String event) {
            this.event = event;
        }

        /** As messages and the database name it. */
        public String event() {
            return event;
        }
    }

    /** The monitor as it was called then. */
    public record Subject(String id, String name, String target) {}
}
