package dev.hotstate.jobs;

import dev.hotstate.core.Partitions;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import java.time.Duration;
import java.util.List;

/** Jobs on their way into Redis, and out of it. */
final class RedisGraphs {
    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;
    private final Wakeups wakeups;

    RedisGraphs(Redis redis, Passes passes, Partitions partitions, Wakeups wakeups) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
        this.wakeups = wakeups;
    }

    enum Loaded {
        /** It is there now, and open. */
        LOADED,
        /** It was there already, of this epoch or a later one: nothing changed. */
        ALREADY
    }

    /** The same for a rebuild, under its own pass. */
    RedisGraphs under(Pass pass) {
        return new RedisGraphs(redis, Passes.always(pass), partitions, wakeups);
    }

    /** All pieces and the opening; repeatable, also by several at once. */
    Loaded load(JobHead head, List<TaskCell> cells) {
        throw new UnsupportedOperationException();
    }

    /** Lets the keys of an ended job go after a while; of one that has not ended, or runs again, nothing changes. */
    void retire(String jobId, List<String> tasks, Duration keep) {
        throw new UnsupportedOperationException();
    }
}
