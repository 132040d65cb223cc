package dev.hotstate.monitors.alert;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fate of one alert on one channel.
 *
 * @param attempts since it was added, or replayed
 * @param error why the last attempt failed; of a delivered one, what was not quite right
 * @param nextAttemptAt null unless it is pending
 */
public record Delivery(
        long id,
        long incident,
        Alert.Kind kind,
        int sequence,
        String channel,
        Status status,
        int attempts,
        @Nullable String error,
        Instant createdAt,
        @Nullable Instant lastAttemptAt,
        @Nullable Instant deliveredAt,
        @Nullable Instant nextAttemptAt,
        String idempotencyKey) {

    public enum Status {
        /** It waits for word whether it is to be sent at all. */
        HELD,
        PENDING,
        SENDING,
        DELIVERED,
        /** Given up; it can be replayed. */
        DEAD,
        /** It was held, and is not to be sent any more. */
        DROPPED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
