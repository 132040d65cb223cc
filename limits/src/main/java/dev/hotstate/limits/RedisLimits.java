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
        List<Terms> rules = new ArrayList<>(1);
        List<String> calls = new ArrayList<>(4 * parties.size());
        for (Party party : parties) {
            Ask ask = party.first();
            keys.addAll(ask.keys());
            calls.add(Long.toString(ask.cost()));
            calls.add(Integer.toString(ask.targets().size()));
            for (Target target : ask.targets()) {
                calls.add(Integer.toString(placeIn(rules, target.terms())));
                calls.add(Long.toString(party.want(target)));
            }
        }
        List<String> args = new ArrayList<>(2 + 5 * rules.size() + calls.size());
        args.add(redis.scriptTime());
        args.add(Integer.toString(rules.size()));
        rules.forEach(rule -> rule.toAcquire(args));
        args.addAll(calls);
        return answers(ACQUIRE.runTogether(redis, keys, args), parties);
    }

    /** From 1, as Lua counts. */
    private static int placeIn(List<Terms> rules, Terms rule) {
        int known = rules.indexOf(rule);
        if (known >= 0) {
            return known + 1;
        }
        rules.add(rule);
        return rules.size();
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
            List<Target> targets = party.first().targets();
            List<Standing> standings = new ArrayList<>(targets.size());
            for (Target target : targets) {
                boolean wantedMore = party.want(target) > party.first().cost();
                standings.add(standing(reply, at, allowed ? party.first().cost() : 0, wantedMore));
                at += wantedMore ? 5 : 3;
            }
            answers.add(new Acquired(allowed, standings));
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
        List<String> args = new ArrayList<>(1 + 5 * refunds.size());
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

    private static Standing peeked(Reply reply) {
        return new Standing(reply.number(0) > 0, 0, reply.number(0), reply.number(1), reply.number(2), 0);
    }
}
