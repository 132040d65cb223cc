package dev.hotstate.jobs;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Permits of the queues that have a limit now. */
final class QueuePermits implements Permits {
    private final RedisPermits redis;
    private final QueueLimits limits;

    QueuePermits(RedisPermits redis, QueueLimits limits) {
        this.redis = redis;
        this.limits = limits;
    }

    @Override
    public Set<String> limited() {
        return limits.known().keySet();
    }

    @Override
    public List<String> take(String queue, int wanted, Duration lease) {
        // A limit that was lifted just now: the next claim knows.
        Integer limit = limits.known().get(queue);
        return limit == null ? List.of() : redis.take(queue, wanted, limit, lease);
    }

    @Override
    public void keep(String queue, Collection<String> permits, Duration lease) {
        redis.keep(queue, List.copyOf(permits), lease);
    }

    @Override
    public void give(String queue, Collection<String> permits) {
        redis.give(queue, List.copyOf(permits));
    }
}
