package dev.hotstate.monitors.alert;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is told of an incident. Its texts come from anywhere, so they are cut and cleaned rather than refused: no alert is
 * lost over a strange character.
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
    private static final int LONGEST_ERROR = 1000;

    public Alert {
        if (sequence < 0) {
            throw new IllegalArgumentException("sequence must not be negative: " + sequence);
        }
        if (error != null) {
            error = Text.storable(error, LONGEST_ERROR);
        }
    }

    /** In the order in which they are told. */
    public enum Kind {
        OPENED,
        REMINDER,
        CLOSED;

        /** As the database and keys name it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** As messages name it. */
        public String event() {
            return "incident." + word();
        }

        /** The same for each attempt to tell it to a channel, and for nothing else: {@code 412-opened-0-ops}. */
        String key(long incident, int sequence, String channel) {
            return incident + "-" + word() + "-" + sequence + "-" + channel;
        }
    }

    /** The monitor as it was called then. A password in the target's URL is masked: messages go far. */
    public record Subject(String id, String name, String target) {
        private static final int LONGEST = 2048;

        public Subject {
            id = Text.storable(id, LONGEST);
            name = Text.storable(name, LONGEST);
            target = Text.storable(target, LONGEST).replaceAll("(?<=://)([^/?#:]*):[^/?#]*@", "$1:***@");
        }
    }
}
