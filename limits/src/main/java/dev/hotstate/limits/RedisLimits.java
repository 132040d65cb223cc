package dev.hotstate.limits;

import dev.hotstate.core.Key;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.limits.Answer.Acquired;
import dev.hotstate.limits.Answer.Broken;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The counters in Redis. One round trip a method; what it answers is Redis's view at one moment of Redis's time. */
final class RedisLimits {
    // What was spent by a call whose answer was lost stays spent: to ask again could spend it twice.
    static final Script<Reply> ACQUIRE =
            Script.of(RedisLimits.class, "acquire", List.of("counters…"), Function.identity());
    static final Script<Reply> REFUND =
            Script.of(RedisLimits.class, "refund", List.of("counters…"), Function.identity());
    static final Script<Standing> PEEK = Script.of(RedisLimits.class, "peek", List.of("counter"), RedisLimits::peeked);

    /** More than any counter has. */
    private static final long ALL = 1L << 52;

    private final Redis redis;

    RedisLimits(Redis redis) {
        this.redis = redis;
    }

    /** Units to give back to one counter; with a {@code stamp} ({@link Standing#stamp}) only those that still count. */
    record Refund(Target target, long units, String stamp) {}

    /** Whether calls of any tags may travel together: on Cluster only those of one tag do. */
    boolean areOnOneNode() {
        return !redis.isCluster();
    }

    /**
     * Decides each party by itself, in their order: spends its cost from all of its counters or from none, and where more
     * than the cost is wanted takes it if it is there.
     */
    List<Answer> acquire(List<Party> parties) {
        List<Key> keys = new ArrayList<>(parties.size());
        Shapes shapes = new Shapes();
        List<String> calls = new ArrayList<>(parties.size());
        for (Party party : parties) {
            Ask ask = party.first();
            Route route = ask.route();
            keys.addAll(route.keys());
            int shape = shapes.placeOf(route);
            if (party.takesOneOfEach()) {
                calls.add(Integer.toString(shape));
            } else {
                calls.add(Integer.toString(-shape));
                calls.add(Long.toString(ask.cost()));
                for (int i = 0; i < route.size(); i++) {
                    calls.add(Long.toString(party.want(route.target(i))));
                }
            }
        }
        List<String> args = new ArrayList<>(16 + calls.size());
        args.add(redis.scriptTime());
        shapes.addTo(args);
        args.addAll(calls);
        return answers(ACQUIRE.runTogether(redis, keys, args), parties);
    }

    private static List<Answer> answers(Reply reply, List<Party> parties) {
        List<Answer> answers = new ArrayList<>(parties.size());
        int at = 0;
        for (Party party : parties) {
            String word = reply.text(at++);
            boolean allowed = word.equals("1");
            if (!allowed && !word.equals("0")) {
                answers.add(new Broken(new UnansweredException("Redis refused: " + word)));
                continue;
            }
            Ask ask = party.first();
            Route route = ask.route();
            Standing[] standings = new Standing[route.size()];
            for (int i = 0; i < standings.length; i++) {
                boolean wantedMore = party.want(route.target(i)) > ask.cost();
                standings[route.stops()[i]] = standing(reply, at, allowed ? ask.cost() : 0, wantedMore);
                at += wantedMore ? 5 : 3;
            }
            answers.add(new Acquired(allowed, List.of(standings)));
        }
        return answers;
    }

    /** There is something to wait for just when the cost did not fit. */
    private static Standing standing(Reply reply, int at, long cost, boolean wantedMore) {
        long retry = reply.number(at + 2);
        return new Standing(
                retry == 0,
                wantedMore ? reply.number(at + 3) : retry == 0 ? cost : 0,
                reply.number(at),
                reply.number(at + 1),
                retry,
                wantedMore ? reply.number(at + 4) : 0);
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
        List<String> args = new ArrayList<>(1 + 6 * refunds.size());
        args.add(redis.scriptTime());
        for (Refund refund : refunds) {
            keys.add(refund.target().key());
            refund.target().terms().toRefund(args, Long.toString(refund.units()), refund.stamp());
        }
        return new Script.Call(keys, args);
    }

    Standing peek(Target target) {
        List<String> args = new ArrayList<>(6);
        args.add(redis.scriptTime());
        target.terms().toPeek(args);
        return PEEK.run(redis, List.of(target.key()), args);
    }

    /** A log goes; in the key of a subject are counters of other rules too, so there all units are given back. */
    void reset(Target target) {
        if (target.terms().isLog()) {
            redis.write(target.key(), (commands, key) -> commands.del(key));
        } else {
            refund(List.of(new Refund(target, ALL, "")));
        }
    }

    private static Standing peeked(Reply reply) {
        return new Standing(reply.number(0) > 0, 0, reply.number(0), reply.number(1), reply.number(2), 0);
    }
}
