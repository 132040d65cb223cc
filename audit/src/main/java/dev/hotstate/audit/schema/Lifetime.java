package dev.hotstate.audit.schema;

import dev.hotstate.core.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a family's keys live. */
public sealed interface Lifetime {
    /** The word that a schema file has for it. */
    String kind();

    /** Whether a key that has no TTL may be right: then Redis must neither evict nor forget it. */
    default boolean keeps() {
        return this instanceof Kept || this instanceof Bounded || this instanceof Ends;
    }

    /**
     * Each key carries a TTL, at most this long.
     *
     * @param usual what keys are given as a rule; null where that varies, as with what users set
     */
    record Expires(Duration ttl, @Nullable Duration usual) implements Lifetime {
        public Expires {
            if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
                throw new IllegalArgumentException("ttl must be at least 1 ms, not " + ttl);
            }
            if (usual != null && (usual.compareTo(Duration.ofMillis(1)) < 0 || usual.compareTo(ttl) > 0)) {
                throw new IllegalArgumentException("usual must be from 1 ms to the ttl, not " + usual);
            }
        }

        public Expires(Duration ttl) {
            this(ttl, null);
        }

        @Override
        public String kind() {
            return "expires";
        }

        @Override
        public String toString() {
            return "expires after at most " + Durations.print(ttl);
        }
    }

    /** A key has no TTL, and never more elements than this. */
    record Bounded(long count) implements Lifetime {
        public Bounded {
            if (count < 1) {
                throw new IllegalArgumentException("count must be at least 1, not " + count);
            }
        }

        @Override
        public String kind() {
            return "bounded";
        }

        @Override
        public String toString() {
            return "bounded to " + count;
        }
    }

    /** A key stays until its reason goes. */
    record Kept(String reason) implements Lifetime {
        public Kept {
            if (reason.isBlank()) {
                throw new IllegalArgumentException("reason must say why its keys are kept");
            }
        }

        @Override
        public String kind() {
            return "kept";
        }

        @Override
        public String toString() {
            return "kept: " + reason;
        }
    }

    /** A key has no TTL until what it describes has ended, and from then on one of at most this long. */
    record Ends(String reason, Duration ttl) implements Lifetime {
        public Ends {
            if (reason.isBlank()) {
                throw new IllegalArgumentException("reason must say why its keys are kept until then");
            }
            if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
                throw new IllegalArgumentException("ttl must be at least 1 ms, not " + ttl);
            }
        }

        @Override
        public String kind() {
            return "ends";
        }

        @Override
        public String toString() {
            return "kept: " + reason + "; then expires after at most " + Durations.print(ttl);
        }
    }

    /** Nothing is said about it. */
    record Any() implements Lifetime {
        @Override
        public String kind() {
            return "any";
        }

        @Override
        public String toString() {
            return "any";
        }
    }
}
