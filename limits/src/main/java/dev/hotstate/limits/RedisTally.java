package dev.hotstate.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.core.Key;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import io.lettuce.core.ScoredValue;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The statistics of rate limits in Redis: a hash for each ten seconds, a sorted set for each ten minutes, of Redis's
 * time. A slot is the number of ten seconds since 1970.
 */
final class RedisTally {
    /** Ten minutes, for which the most denied are counted together. */
    static final int SLOTS_A_TOP = 60;

    /** More counts take several calls, so that Redis is not held for long; in most seconds there are a few. */
    private static final int MOST_AT_ONCE = 250;

    static final Script<Told> TALLY = Script.of(RedisTally.class, "tally", List.of("rate", "top"), Told::by);
    static final Script<Moment> SLOT = Script.of(RedisTally.class, "slot", List.of("rate"), Moment::by);

    private static final String SLOT_MICROS = Long.toString(TimeUnit.NANOSECONDS.toMicros(Rates.STEP.toNanos()));

    private final Redis redis;

    /** What Redis said last: the right one for nine flushes of ten. */
    private volatile long lastTold;

    RedisTally(Redis redis) {
        this.redis = redis;
    }

    /**
     * Adds counts, at most once: after a call without an answer nobody knows, so it is not repeated, and what was to come
     * after it is not sent.
     */
    void add(Map<String, TallyRule> rules, Map<CounterId, Long> denials) {
        List<Count> counts = new ArrayList<>();
        rules.forEach((rule, times) -> {
            counts.add(new Count("rate", "allowed:" + rule, times.allowed()));
            counts.add(new Count("rate", "denied:" + rule, times.denied()));
            counts.add(new Count("rate", "shadow_denied:" + rule, times.shadowDenied()));
        });
        denials.forEach((subject, times) -> counts.add(new Count("top", member(subject), times)));
        counts.removeIf(count -> count.times() == 0);
        for (int from = 0; from < counts.size(); from += MOST_AT_ONCE) {
            add(counts.subList(from, Math.min(from + MOST_AT_ONCE, counts.size())));
        }
    }

    /** What is to be added to a field or member of one of the two keys. */
    private record Count(String key, String name, long times) {}

    /** The slot that Redis is in, and how much of it is over. */
    record Moment(long slot, double share) {
        static Moment by(Reply reply) {
            return new Moment(reply.number(0), reply.number(1) * 1000.0 / Rates.STEP.toNanos());
        }
    }

    Moment moment() {
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
    List<Map<CounterId, Long>> tops(List<Long> slots) {
        List<Key> keys = slots.stream().map(RedisTally::top).toList();
        return redis.readAll(keys, (commands, key) -> commands.zrangeWithScores(key, 0, -1)).stream()
                .map(RedisTally::bySubject)
                .toList();
    }

    private void add(List<Count> counts) {
        Told told = addIn(lastTold, counts);
        if (!told.added()) {
            addIn(told.slot(), counts);
        }
    }

    private Told addIn(long slot, List<Count> counts) {
        List<String> args = new ArrayList<>(6 + 3 * counts.size());
        args.add(redis.scriptTime());
        args.add(Long.toString(slot));
        args.add(SLOT_MICROS);
        args.add(Long.toString(LimitKeys.RATES_KEPT.toMillis()));
        args.add(Long.toString(LimitKeys.TOP_KEPT.toMillis()));
        args.add(Integer.toString(TopSubject.MOST));
        counts.forEach(count -> {
            args.add(count.key());
            args.add(count.name());
            args.add(Long.toString(count.times()));
        });
        Told told = TALLY.run(redis, List.of(rate(slot), top(slot / SLOTS_A_TOP)), args);
        lastTold = told.slot();
        return told;
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

    private static Map<CounterId, Long> bySubject(List<ScoredValue<String>> members) {
        Map<CounterId, Long> bySubject = new HashMap<>();
        members.forEach(member -> bySubject.put(subject(member.getValue()), (long) member.getScore()));
        return bySubject;
    }

    /** The parts of a subject, URL-encoded so that a space stands between them alone. */
    private static String member(CounterId subject) {
        return Stream.of(subject.rule(), subject.tag(), subject.subject())
                .map(part -> URLEncoder.encode(part, UTF_8))
                .collect(Collectors.joining(" "));
    }

    private static CounterId subject(String member) {
        String[] parts = member.split(" ", 3);
        return new CounterId(decoded(parts[1]), decoded(parts[0]), decoded(parts[2]));
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, UTF_8);
    }

    private static Key rate(long slot) {
        return LimitKeys.RATE.of(Long.toString(slot));
    }

    private static Key top(long slot) {
        return LimitKeys.TOP.of(Long.toString(slot));
    }
}
