package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Permits of the queues that have a limit now. They are asked for and given back on the way of tasks that may be of other
 * partitions: where a queue's own cannot be reached, nobody takes of that queue, what cannot be given back runs out with
 * its lease, and the others go on.
 */
final class QueuePermits implements Permits {
    private static final Logger log = LoggerFactory.getLogger(QueuePermits.class);

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
        return limit == null || limit == 0 ? List.of() : redis.take(queue, wanted, limit, lease);
    }

    @Override
    public void keep(String queue, Collection<String> permits, Duration lease) {
        try {
            redis.keep(queue, List.copyOf(permits), lease);
        } catch (HotstateException away) {
            log.debug("{} permits of {} are not kept: {}", permits.size(), queue, away.getMessage());
        }
    }

    @Override
    public void give(String queue, Collection<String> permits) {
        try {
            redis.give(queue, List.copyOf(permits));
        } catch (HotstateException away) {
            log.debug("{} permits of {} are left to their lease: {}", permits.size(), queue, away.getMessage());
        }
    }
}
