package dev.hotstate.drivers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which of a driver's fixes is the newer one: by {@code seq} where both have it, else by their time. */
final class FixOrder {
    private FixOrder() {}

    /** Equal is not newer. A fix without a time is of now, after all that have one. */
    static boolean isNewer(
            @Nullable Long seq, @Nullable Instant at, @Nullable Long knownSeq, @Nullable Instant knownAt) {
        if (seq != null && knownSeq != null) {
            return seq > knownSeq;
        }
        if (at == null) {
            return true;
        }
        return knownAt != null && at.isAfter(knownAt);
    }
}
