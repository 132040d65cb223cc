package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Fence;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.jobs.Effects.Committed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Last attempts that lapsed: they end as PostgreSQL knows them. */
final class RedisLapsed {
    static final Script<List<Lapsed>> LAPSED =
            Script.of(RedisLapsed.class, "lapsed", List.of("incarnation", "lapsed"), RedisLapsed::lapsed);

    private final Redis redis;
    private final Partitions partitions;
    private final RedisAdvance advance;
    private final FreedPermits freed;

    RedisLapsed(Redis redis, Partitions partitions, RedisAdvance advance, FreedPermits freed) {
        this.redis = redis;
        this.partitions = partitions;
        this.advance = advance;
        this.freed = freed;
    }

    /** The oldest first; among them may be some that have ended since, which changes nothing any more. */
    List<Lapsed> waiting(Partition partition, int max) {
        return waiting(partition, 0, max);
    }

    /** @param from so many of the oldest are left out */
    List<Lapsed> waiting(Partition partition, int from, int max) {
        return LAPSED.run(
                redis,
                List.of(CoreKeys.INCARNATION.of(partition), JobKeys.LAPSED.of(partition)),
                List.of(Integer.toString(from), Integer.toString(max)));
    }

    /**
     * As PostgreSQL knows them.
     *
     * @param known of one partition, at most {@value RedisAdvance#MOST}; what each has committed, if anything
     */
    void settle(Partition partition, Map<Lapsed, Optional<Committed>> known) {
        List<RedisAdvance.End> ends = new ArrayList<>();
        known.forEach((task, committed) -> ends.add(
                committed.isPresent()
                        ? new RedisAdvance.End(
                                task.held(),
                                RedisAdvance.End.PROVED,
                                Optional.ofNullable(committed.get().result()).orElse(""))
                        : new RedisAdvance.End(task.held(), RedisAdvance.End.LOST, task.error())));
        settle(partition, ends);
    }

    /** Its effect is committed, with this result where it has one: the task has succeeded. */
    void succeeded(Lapsed task, Optional<String> result) {
        settle(task, RedisAdvance.End.PROVED, result.orElse(""));
    }

    /** Nothing is committed: the task has failed. */
    void failed(Lapsed task) {
        settle(task, RedisAdvance.End.LOST, task.error());
    }

    private void settle(Lapsed task, char kind, String text) {
        settle(partitions.of(task.jobId()), List.of(new RedisAdvance.End(task.held(), kind, text)));
    }

    private void settle(Partition partition, List<RedisAdvance.End> ends) {
        freed.give(advance.run(partition, ends, RedisAdvance.Asked.NOTHING).freed());
    }

    private static List<Lapsed> lapsed(Reply reply) {
        List<String> parts = reply.list(0);
        List<Lapsed> tasks = new ArrayList<>();
        for (int i = 0; i < parts.size(); i += 7) {
            tasks.add(new Lapsed(
                    parts.get(i),
                    parts.get(i + 1),
                    Integer.parseInt(parts.get(i + 2)),
                    Integer.parseInt(parts.get(i + 3)),
                    Fence.parse(parts.get(i + 4)),
                    Instant.ofEpochMilli(Long.parseLong(parts.get(i + 5))),
                    parts.get(i + 6)));
        }
        return tasks;
    }
}
