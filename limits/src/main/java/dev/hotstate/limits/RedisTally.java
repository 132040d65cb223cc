package dev.hotstate.limits;

import dev.hotstate.core.Key;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import io.lettuce.core.ScoredValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The statistics of rate limits in Redis: a hash for each ten seconds, a sorted set for each ten minutes, of Redis's
 * time. A slot is the number of ten seconds since 1970.
 */
final class RedisTally {
    /** Ten minutes, for which the most denied are counted together. */
    static final int SLOTS_A_TOP = 60;

    static final Script<Told> TALLY = Script.of(RedisTally.class, "tally", List.of("rate", "top"), Told::by);
    static final Script<Long> SLOT = Script.of(RedisTally.class, "slot", List.of("rate"), reply -> reply.number(0));

    private static final String SLOT_MICROS = Long.toString(TimeUnit.NANOSECONDS.toMicros(Rates.STEP.toNanos()));

    private final Redis redis;

    /** What Redis said last: the right one for nine flushes of ten. */
    private volatile long lastTold;

    RedisTally(Redis redis) {
        this.redis = redis;
    }

    /** Adds counts, at most once: after a call without an answer nobody knows, so it is not repeated. */
    void add(Map<String, TallyRule> rules, Map<TallySubject, Long> denials) {
        Told told = addIn(lastTold, rules, denials);
        if (!told.added()) {
            addIn(told.slot(), rules, denials);
        }
    }

    /** The slot that Redis is in. */
    long slot() {
        return SLOT.run(redis, List.of(rate(lastTold)), List.of(redis.scriptTime(), SLOT_MICROS));
    }

    /** What each rule did, for each of these slots. */
    List<Map<String, TallyRule>> rates(List<Long> slots) {
        List<Key> keys = slots.stream().map(RedisTally::rate).toList();
        return redis.readAll(keys, (commands, key) -> commands.hgetall(key)).stream()
                .map(RedisTally::byRule)
                .toList();
    }

    /** Who was denied most, for each of these stretches of ten minutes. */
    List<Map<TallySubject, Long>> tops(List<Long> slots) {
        List<Key> keys = slots.stream().map(RedisTally::top).toList();
        return redis.readAll(keys, (commands, key) -> commands.zrangeWithScores(key, 0, -1)).stream()
                .map(RedisTally::bySubject)
                .toList();
    }

    private Told addIn(long slot, Map<String, TallyRule> rules, Map<TallySubject, Long> denials) {
        List<String> fields = new ArrayList<>();
        rules.forEach((rule, counts) -> {
            put(fields, "allowed:" + rule, counts.allowed());
            put(fields, "denied:" + rule, counts.denied());
            put(fields, "shadow_denied:" + rule, counts.shadowDenied());
        });
        List<String> args = new ArrayList<>(List.of(
                redis.scriptTime(),
                Long.toString(slot),
                SLOT_MICROS,
                Long.toString(LimitKeys.RATES_KEPT.toMillis()),
                Long.toString(LimitKeys.TOP_KEPT.toMillis()),
                Integer.toString(TopSubject.MOST),
                Integer.toString(fields.size() / 2)));
        args.addAll(fields);
        denials.forEach((subject, count) -> put(args, subject.encoded(), count));
        Told told = TALLY.run(redis, List.of(rate(slot), top(slot / SLOTS_A_TOP)), args);
        lastTold = told.slot();
        return told;
    }

    private static void put(List<String> args, String name, long count) {
        if (count > 0) {
            args.add(name);
            args.add(Long.toString(count));
        }
    }

    /** Whether the counts were added to the slot that was named, and the slot that Redis is in. */
    record Told(boolean added, long slot) {
        static Told by(Reply reply) {
            return new Told(reply.word().equals("ADDED"), reply.number(0));
        }
    }

    private static Map<String, TallyRule> byRule(Map<String, String> fields) {
        Map<String, TallyRule> byRule = new HashMap<>();
        for (String field : fields.keySet()) {
            String rule = field.substring(field.indexOf(':') + 1);
            byRule.computeIfAbsent(
                    rule,
                    r -> new TallyRule(
                            count(fields, "allowed:" + r),
                            count(fields, "denied:" + r),
                            count(fields, "shadow_denied:" + r)));
        }
        return byRule;
    }

    private static long count(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }

    private static Map<TallySubject, Long> bySubject(List<ScoredValue<String>> members) {
        Map<TallySubject, Long> bySubject = new HashMap<>();
        members.forEach(member -> bySubject.put(TallySubject.decode(member.getValue()), (long) member.getScore()));
        return bySubject;
    }

    private static Key rate(long slot) {
        return LimitKeys.RATE.of(Long.toString(slot));
    }

    private static Key top(long slot) {
        return LimitKeys.TOP.of(Long.toString(slot));
    }
}
