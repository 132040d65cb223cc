package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.util.List;

/** What people do to a job that is under way. */
final class RedisControl {
    static final Script<Told> STEER = Script.of(
                    RedisControl.class, "steer", List.of("incarnation", "job", "steps", "archive"), RedisControl::told)
            .repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;
    private final Wakeups wakeups;

    RedisControl(Redis redis, Passes passes, Partitions partitions, Wakeups wakeups) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
        this.wakeups = wakeups;
    }

    enum Told {
        /** It is so now, or was already. */
        DONE,
        /** The job has ended, or runs again as a later epoch: nothing changed. */
        ENDED,
        /** Redis does not have the job, or not this epoch or all of it yet: nothing changed. */
        UNKNOWN
    }

    /** Also of a job that is still being loaded. */
    Told cancel(String jobId, int epoch) {
        return steer(jobId, epoch, "cancel");
    }

    Told pause(String jobId, int epoch) {
        return steer(jobId, epoch, "pause");
    }

    /** What was parked is ready soon after: the next call that advances the partition sees to it. */
    Told resume(String jobId, int epoch) {
        Told told = steer(jobId, epoch, "resume");
        wakeups.due(Duration.ZERO);
        return told;
    }

    private Told steer(String jobId, int epoch, String wish) {
        Partition partition = partitions.of(jobId);
        return STEER.run(
                redis,
                List.of(
                        CoreKeys.INCARNATION.of(partition),
                        JobKeys.JOB.of(partition, jobId),
                        JobKeys.STEPS.of(partition),
                        JobKeys.ARCHIVE.of(partition)),
                List.of(passes.of(partition).toString(), redis.scriptTime(), jobId, Integer.toString(epoch), wish));
    }

    private static Told told(Reply reply) {
        return Told.valueOf(reply.word());
    }
}
