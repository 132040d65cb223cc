package dev.hotstate.jobs;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What happened, on its way to PostgreSQL: read, and let go of once it is there. */
final class RedisArchive {
    /** Before anything was applied. */
    static final String NOTHING = "";

    private final Redis redis;
    private final Passes passes;

    RedisArchive(Redis redis, Passes passes) {
        this.redis = redis;
        this.passes = passes;
    }

    /**
     * @param upTo what to show with the next call, once all of these are in PostgreSQL
     * @param left entries that wait, these included
     * @param age of the oldest of them
     */
    record Drained(List<Transition> transitions, String upTo, long left, Duration age) {}

    /**
     * Lets go of what was applied, and answers what comes next.
     *
     * @param appliedUpTo the last answer's {@code upTo}, or {@link #NOTHING}
     * @param count entries at most; each is of one call, with up to some hundreds of transitions
     * @return empty where another instance is at it
     */
    Optional<Drained> drain(Partition partition, String instance, String appliedUpTo, int count) {
        throw new UnsupportedOperationException();
    }
}
