package dev.hotstate.jobs;

import dev.hotstate.core.Partitions;
import dev.hotstate.core.Redis;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs as Redis has them, for those who watch. Nothing is changed. */
final class RedisLook {
    private final Redis redis;
    private final Partitions partitions;

    RedisLook(Redis redis, Partitions partitions) {
        this.redis = redis;
        this.partitions = partitions;
    }

    /** Empty also while it is still being loaded. */
    Optional<LiveJob> job(String id) {
        throw new UnsupportedOperationException();
    }

    /** Those that Redis has, by id; at most 500 are asked for at once. */
    Map<String, LiveTask> tasks(String jobId, List<String> ids) {
        throw new UnsupportedOperationException();
    }

    /** Empty where Redis has no such task. */
    Optional<LogPart> lines(String jobId, String taskId, long from, int limit) {
        throw new UnsupportedOperationException();
    }

    /** @param waited how long the first of them has been ready */
    record Depth(long ready, Duration waited) {}

    /** Over all partitions, every lane that was used lately. */
    Map<Lane, Depth> depths() {
        throw new UnsupportedOperationException();
    }

    /** A task that somebody holds. */
    record Lease(Held held, Lane lane, String worker, Instant until) {}

    /** Over all partitions, those whose lease ends first; so many of each at most. */
    List<Lease> leases(int most) {
        throw new UnsupportedOperationException();
    }

    /** Who asked for tasks. */
    record Asker(String worker, List<String> queues, Instant at) {}

    /** Those who asked within the last minute or so. */
    List<Asker> askers() {
        throw new UnsupportedOperationException();
    }
}
