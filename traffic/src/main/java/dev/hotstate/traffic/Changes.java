package dev.hotstate.traffic;

import dev.hotstate.core.Key;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Script;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code changes.lua} is to change: each change names its key by its place among the script's keys. */
final class Changes {
    private final Map<Key, Integer> places = new LinkedHashMap<>();
    private final List<String> args = new ArrayList<>();
    private final Map<Key, Fields> hashes = new LinkedHashMap<>();

    /** @param own the keys that the script takes before those that are changed */
    Changes(List<Key> own) {
        own.forEach(this::place);
    }

    /** Nothing is written for zero, so that a counter begins with its first request. */
    void increment(Key counter, long by) {
        increment(counter, by, Duration.ZERO);
    }

    void increment(Key counter, long by, Duration kept) {
        if (by != 0) {
            renew(counter, by, kept);
        }
    }

    /** Begins its lifetime anew, also for zero. */
    void renew(Key counter, long by, Duration kept) {
        add("incr", counter, Long.toString(by), Long.toString(kept.toMillis()));
    }

    void increment(Key sum, BigDecimal by) {
        if (by.signum() != 0) {
            add("float", sum, by.toPlainString());
        }
    }

    /** Is that much from now on, unless it is more already. */
    void raise(Key counter, BigDecimal least, Duration kept) {
        if (least.signum() > 0) {
            add("raise", counter, least.toPlainString(), Long.toString(kept.toMillis()));
        }
    }

    /** All fields of a hash are written with one command. */
    void put(Key hash, String field, String value, long keptMs) {
        hashes.computeIfAbsent(hash, h -> new Fields(keptMs, new ArrayList<>()))
                .values()
                .addAll(List.of(field, value));
    }

    void include(Key set, String member) {
        add("sadd", set, member);
    }

    /** @param samples scores and members in turn */
    void sample(Key zset, List<String> samples) {
        if (!samples.isEmpty()) {
            add("zadd", zset, Integer.toString(samples.size()));
            args.addAll(samples);
        }
    }

    /** Runs the script with its own arguments and these changes after them. */
    <R> R run(Script<R> script, Redis redis, List<String> own) {
        hashes.forEach((hash, fields) -> {
            add(
                    "hset",
                    hash,
                    Long.toString(fields.keptMs()),
                    Integer.toString(fields.values().size()));
            args.addAll(fields.values());
        });
        List<String> all = new ArrayList<>(own);
        all.addAll(args);
        return script.run(redis, List.copyOf(places.keySet()), all);
    }

    private record Fields(long keptMs, List<String> values) {}

    private void add(String word, Key key, String... values) {
        args.add(word);
        args.add(Integer.toString(place(key)));
        args.addAll(List.of(values));
    }

    private int place(Key key) {
        return places.computeIfAbsent(key, k -> places.size() + 1);
    }
}
