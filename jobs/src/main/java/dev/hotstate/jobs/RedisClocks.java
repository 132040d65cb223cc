package dev.hotstate.jobs;

import dev.hotstate.core.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What time it is for the Redis of each partition: what its last answer said, and what has passed here since. It is late by
 * as long as that answer took, and never early.
 */
final class RedisClocks {
    /** Clocks run apart, so an old answer tells nothing. */
    private static final Duration GOOD_FOR = Duration.ofMinutes(1);

    private final Map<Partition, Heard> last = new ConcurrentHashMap<>();

    private record Heard(Instant now, long at) {}

    void heard(Partition partition, Instant now) {
        last.put(partition, new Heard(now, System.nanoTime()));
    }

    /** Now, where that is known. */
    Optional<Instant> now(Partition partition) {
        Heard heard = last.get(partition);
        if (heard == null) {
            return Optional.empty();
        }
        Duration since = Duration.ofNanos(System.nanoTime() - heard.at);
        return since.compareTo(GOOD_FOR) < 0 ? Optional.of(heard.now.plus(since)) : Optional.empty();
    }
}
