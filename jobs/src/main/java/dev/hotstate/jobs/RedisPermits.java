package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * How many tasks of a queue run at once, over all partitions: each holds a permit of its queue while it runs. A permit is
 * leased like its task, so those of a dead worker come back by themselves.
 *
 * <p>The limit holds as long as Redis keeps what it was told. Where it lost the partition with a queue's permits, as many
 * again may begin before the tasks that run on are kept, which is when they count again.
 */
final class RedisPermits {
    /** An idle queue's permits are gone after this. */
    private static final Duration LIFE = Duration.ofHours(1);

    private static final int MOST_TAKEN = Wanted.MOST;
    private static final int MOST_A_CALL = 500;

    private static final List<String> KEYS = List.of("incarnation", "permits");
    static final Script<Integer> TAKE =
            Script.of(RedisPermits.class, "take_permits", KEYS, reply -> (int) reply.number(0));
    static final Script<Boolean> KEEP =
            Script.of(RedisPermits.class, "keep_permits", KEYS, reply -> true).repeatable();
    static final Script<Long> GIVE = Script.of(RedisPermits.class, "give_permits", KEYS, reply -> reply.number(0))
            .repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;
    private final String mine = Long.toString(RandomGenerator.getDefault().nextLong() >>> 1, 36);
    private final AtomicLong made = new AtomicLong();

    RedisPermits(Redis redis, Passes passes, Partitions partitions) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
    }

    /** As many permits as are wanted (at most {@value #MOST_TAKEN}) and the limit leaves room for; none where it is full. */
    List<String> take(String queue, int wanted, int limit, Duration lease) {
        List<String> offered = new ArrayList<>();
        for (int i = 0; i < Math.min(wanted, MOST_TAKEN); i++) {
            offered.add(mine + "-" + Long.toString(made.incrementAndGet(), 36));
        }
        if (offered.isEmpty()) {
            return offered;
        }
        List<String> args = args(queue);
        args.add(Integer.toString(limit));
        args.add(millis(lease));
        args.add(life(lease));
        args.addAll(offered);
        try {
            return offered.subList(0, TAKE.run(redis, keys(queue), args));
        } catch (RedisUnavailableException unanswered) {
            untake(queue, offered, unanswered);
            throw unanswered;
        }
    }

    /** Perhaps they were taken: nobody would ever use them. */
    private void untake(String queue, List<String> offered, RedisUnavailableException unanswered) {
        try {
            give(queue, offered);
        } catch (HotstateException away) {
            unanswered.addSuppressed(away);
        }
    }

    /** Gives permits whose tasks run on more time. */
    void keep(String queue, List<String> permits, Duration lease) {
        for (List<String> some : inCalls(permits)) {
            List<String> args = args(queue);
            args.add(millis(lease));
            args.add(life(lease));
            args.addAll(some);
            KEEP.run(redis, keys(queue), args);
        }
    }

    /** Gives permits back; how many of them were still held. */
    long give(String queue, List<String> permits) {
        long held = 0;
        for (List<String> some : inCalls(permits)) {
            List<String> args = args(queue);
            args.addAll(some);
            held += GIVE.run(redis, keys(queue), args);
        }
        return held;
    }

    private List<Key> keys(String queue) {
        Partition home = partitions.of(queue);
        return List.of(CoreKeys.INCARNATION.of(home), JobKeys.PERMITS.of(home, queue));
    }

    private List<String> args(String queue) {
        List<String> args = new ArrayList<>();
        args.add(passes.of(partitions.of(queue)).toString());
        args.add(redis.scriptTime());
        return args;
    }

    private static List<List<String>> inCalls(List<String> permits) {
        List<List<String>> calls = new ArrayList<>();
        for (int from = 0; from < permits.size(); from += MOST_A_CALL) {
            calls.add(permits.subList(from, Math.min(from + MOST_A_CALL, permits.size())));
        }
        return calls;
    }

    private static String millis(Duration lease) {
        return Long.toString(lease.toMillis());
    }

    private static String life(Duration lease) {
        return millis(lease.compareTo(LIFE) > 0 ? lease : LIFE);
    }
}
