package dev.hotstate.core;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** What is counted of the calls to Redis: how long, how they failed, and what each script answered. */
final class RedisMeters {
    private final MeterRegistry registry;
    private final Timer answered;
    private final Counter[] failed;
    private final Counter repeated;
    private final Counter fellBack;
    private final Map<Script<?>, Map<String, Counter>> replies = new ConcurrentHashMap<>();

    RedisMeters(MeterRegistry registry) {
        this.registry = registry;
        this.answered = registry.timer("hotstate.redis.calls");
        this.failed = Arrays.stream(Failure.values())
                .map(reason -> registry.counter("hotstate.redis.failures", "reason", lowerCase(reason)))
                .toArray(Counter[]::new);
        this.repeated = registry.counter("hotstate.redis.repeats");
        this.fellBack = registry.counter("hotstate.redis.fallbacks");
    }

    void answered(long nanos) {
        answered.record(nanos, TimeUnit.NANOSECONDS);
    }

    void failed(Failure reason) {
        failed[reason.ordinal()].increment();
    }

    void repeated() {
        repeated.increment();
    }

    void fellBack() {
        fellBack.increment();
    }

    void replied(Script<?> script, String word) {
        Map<String, Counter> words = replies.get(script);
        if (words == null) {
            words = replies.computeIfAbsent(script, s -> new ConcurrentHashMap<>());
        }
        Counter counter = words.get(word);
        if (counter == null) {
            counter = words.computeIfAbsent(
                    word, w -> registry.counter("hotstate.script.replies", "script", script.name(), "reply", w));
        }
        counter.increment();
    }

    private static String lowerCase(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }
}
