package dev.hotstate.limits;

import dev.hotstate.core.Key;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The counters in Redis. One round trip a method; what it answers is Redis's view at one moment of Redis's time. */
final class RedisLimits {
    private static final int STANDING_PARTS = 6;

    // What was spent by a call whose answer was lost stays spent: to ask again could spend it twice.
    static final Script<Acquired> ACQUIRE =
            Script.of(RedisLimits.class, "acquire", List.of("counters…"), RedisLimits::acquired);
    static final Script<Reply> REFUND =
            Script.of(RedisLimits.class, "refund", List.of("counters…"), Function.identity());
    static final Script<Standing> PEEK = Script.of(RedisLimits.class, "peek", List.of("counter"), RedisLimits::peeked);

    private final Redis redis;

    RedisLimits(Redis redis) {
        this.redis = redis;
    }

    /** What came of a call: all checks were spent (but for those in shadow that would deny), or none. */
    record Acquired(boolean allowed, List<Standing> standings) {}

    /** Units to give back to one counter; {@code stamp} is the start of the window they are from, or empty. */
    record Refund(Target target, long units, String stamp) {}

    /** Spends the cost from all counters or none; where a target wants more than the cost it gets it if it is there. */
    Acquired acquire(List<Target> targets, long cost, Wants wants) {
        List<Key> keys = new ArrayList<>(targets.size());
        List<String> args = new ArrayList<>(2 + STANDING_PARTS * targets.size());
        args.add(redis.scriptTime());
        args.add(Long.toString(cost));
        for (Target target : targets) {
            keys.add(target.key());
            target.terms().toAcquire(args, Long.toString(wants.of(target)));
        }
        return ACQUIRE.run(redis, keys, args);
    }

    /** How many units a call takes of a counter at once, the cost included. */
    @FunctionalInterface
    interface Wants {
        long of(Target target);
    }

    /** Gives units back to counters that share a tag, as far as they are still counted. */
    void refund(List<Refund> refunds) {
        Script.Call call = refunding(refunds);
        REFUND.run(redis, call.keys(), call.args());
    }

    /** Gives units back to counters of any tags: a pipeline, of which some may fail. */
    void refundEach(List<Refund> refunds) {
        REFUND.runAll(
                redis,
                refunds.stream().map(refund -> refunding(List.of(refund))).toList());
    }

    private Script.Call refunding(List<Refund> refunds) {
        List<Key> keys = new ArrayList<>(refunds.size());
        List<String> args = new ArrayList<>(1 + 4 * refunds.size());
        args.add(redis.scriptTime());
        for (Refund refund : refunds) {
            keys.add(refund.target().key());
            refund.target().terms().toRefund(args, Long.toString(refund.units()), refund.stamp());
        }
        return new Script.Call(keys, args);
    }

    Standing peek(Target target) {
        List<String> args = new ArrayList<>(5);
        args.add(redis.scriptTime());
        target.terms().toPeek(args);
        return PEEK.run(redis, List.of(target.key()), args);
    }

    void reset(Target target) {
        redis.write(target.key(), (commands, key) -> commands.del(key));
    }

    private static Acquired acquired(Reply reply) {
        List<Standing> standings = new ArrayList<>(reply.size() / STANDING_PARTS);
        for (int i = 0; i < reply.size(); i += STANDING_PARTS) {
            standings.add(new Standing(
                    reply.number(i) == 1,
                    reply.number(i + 1),
                    reply.number(i + 2),
                    reply.number(i + 3),
                    reply.number(i + 4),
                    reply.number(i + 5)));
        }
        return new Acquired(reply.word().equals("ALLOWED"), standings);
    }

    private static Standing peeked(Reply reply) {
        return new Standing(reply.number(0) > 0, 0, reply.number(0), reply.number(1), reply.number(2), 0);
    }
}
