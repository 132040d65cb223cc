package dev.hotstate.server.feature;

import java.time.Duration;

/** Something to be done again and again, by one instance at a time; doing it twice must do no harm. */
public record Chore(String name, Duration every, Runnable work) {
    public Chore {
        if (every.isNegative() || every.isZero()) {
            throw new IllegalArgumentException("every must be positive, not " + every);
        }
    }
}
