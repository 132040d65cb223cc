package dev.hotstate.core;

import java.time.Duration;
import java.time.Instant;

/** When an entry is due: at a moment, or so long from now by Redis's clock. */
public sealed interface Due {

    static Due at(Instant moment) {
        return new At(moment);
    }

    static Due in(Duration delay) {
        return new In(delay);
    }

    static Due now() {
        return new In(Duration.ZERO);
    }

    /** As scripts read it: milliseconds, with a plus in front when they count from now. */
    @Override
    String toString();

    record At(Instant moment) implements Due {
        @Override
        public String toString() {
            return Long.toString(moment.toEpochMilli());
        }
    }

    record In(Duration delay) implements Due {
        public In {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay must not be negative, not " + delay);
            }
        }

        @Override
        public String toString() {
            return "+" + delay.toMillis();
        }
    }
}
