package dev.hotstate.jobs;

import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;

/** What people do to a job that is under way. */
final class RedisControl {
    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;

    RedisControl(Redis redis, Passes passes, Partitions partitions) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
    }

    enum Told {
        /** It is so now, or was already. */
        DONE,
        /** The job has ended: nothing changed. */
        ENDED,
        /** Redis does not have the job, or not all of it yet: nothing changed. */
        UNKNOWN
    }

    /** Also of a job that is still being loaded. */
    Told cancel(String jobId) {
        throw new UnsupportedOperationException();
    }

    Told pause(String jobId) {
        throw new UnsupportedOperationException();
    }

    /** What was parked is ready soon after: the next call that tends the partition sees to it. */
    Told resume(String jobId) {
        throw new UnsupportedOperationException();
    }
}
