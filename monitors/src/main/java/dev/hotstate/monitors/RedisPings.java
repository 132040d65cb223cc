package dev.hotstate.monitors;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.util.List;

/** The one script that pings have of their own. */
final class RedisPings {
    static final Script<Boolean> BEGUN = Script.of(
                    RedisPings.class,
                    "begun",
                    List.of("incarnation", "schedule", "fences", "status"),
                    RedisPings::isBegun)
            .repeatable();

    private final Redis redis;
    private final Passes passes;

    RedisPings(Redis redis, Passes passes) {
        this.redis = redis;
        this.passes = passes;
    }

    /** False where the monitor is not on the schedule. */
    boolean begun(Partition partition, Monitor monitor) {
        return BEGUN.run(
                redis,
                List.of(
                        CoreKeys.INCARNATION.of(partition),
                        MonitorKeys.SCHEDULE.of(partition),
                        MonitorKeys.FENCES.of(partition),
                        MonitorKeys.of(MonitorKeys.STATUS, partition, monitor.id())),
                List.of(
                        passes.of(partition).toString(),
                        redis.scriptTime(),
                        monitor.id(),
                        Long.toString(monitor.patience().toMillis()),
                        Long.toString(RedisOutcomes.statusLife(monitor).toMillis())));
    }

    private static boolean isBegun(Reply reply) {
        return reply.word().equals("BEGUN");
    }
}
