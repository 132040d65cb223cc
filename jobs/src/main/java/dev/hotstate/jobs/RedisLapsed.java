package dev.hotstate.jobs;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import java.util.List;
import java.util.Optional;

/** Last attempts that lapsed: they end as PostgreSQL knows them. */
final class RedisLapsed {
    private final Redis redis;
    private final Passes passes;
    private final Wakeups wakeups;

    RedisLapsed(Redis redis, Passes passes, Wakeups wakeups) {
        this.redis = redis;
        this.passes = passes;
        this.wakeups = wakeups;
    }

    /** The oldest first. */
    List<Lapsed> waiting(Partition partition, int max) {
        throw new UnsupportedOperationException();
    }

    /** Its effect is committed, with this result where it has one: the task has succeeded. */
    void succeeded(Lapsed task, Optional<String> result) {
        throw new UnsupportedOperationException();
    }

    /** Nothing is committed: the task has failed. */
    void failed(Lapsed task) {
        throw new UnsupportedOperationException();
    }
}
