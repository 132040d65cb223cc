package dev.hotstate.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** How long a family's keys live. Every lifetime is chosen: there is no fifth. */
public sealed interface Lifetime {

    /** Each key carries a TTL, at most this long. */
    record Expires(Duration ttl) implements Lifetime {
        public Expires {
            if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
                throw new IllegalArgumentException("ttl must be at least 1 ms, not " + ttl);
            }
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
        public String toString() {
            return "bounded to " + count;
        }
    }

    /** A key stays until its reason goes: it is deleted with what it describes. */
    record Kept(String reason) implements Lifetime {
        public Kept {
            if (requireNonNull(reason).isBlank()) {
                throw new IllegalArgumentException("a kept family needs its reason");
            }
        }

        @Override
        public String toString() {
            return "kept: " + reason;
        }
    }

    /** A key has no TTL until what it describes has ended, and from then on one of at most this long. */
    record Ends(String reason, Duration ttl) implements Lifetime {
        public Ends {
            if (requireNonNull(reason).isBlank()) {
                throw new IllegalArgumentException("a family whose keys end needs the reason why they stay until then");
            }
            if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
                throw new IllegalArgumentException("ttl must be at least 1 ms, not " + ttl);
            }
        }

        @Override
        public String toString() {
            return "kept: " + reason + "; then expires after at most " + Durations.print(ttl);
        }
    }
}
