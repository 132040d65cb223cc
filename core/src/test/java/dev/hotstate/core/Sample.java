package dev.hotstate.core;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keys and scripts of a small service that tests of Redis access share, and how they connect. */
final class Sample {
    static final KeyFamily COUNTER = KeyFamily.string("{<partition>}:counter:<id>")
            .id("partition", 16)
            .id("id", 16)
            .owner("sample")
            .field("value", "a number")
            .expires(Duration.ofMinutes(5))
            .typically(1, 8)
            .example("{p0}:counter:a")
            .why("something to count in tests")
            .declared();

    static final KeyFamily STRANGER = KeyFamily.string("{<partition>}:stranger")
            .id("partition", 16)
            .owner("nobody")
            .expires(Duration.ofMinutes(5))
            .typically(1, 8)
            .example("{p0}:stranger")
            .why("declared, but not in the keyspace of these tests")
            .declared();

    static final Script<List<Long>> ADD = Script.of(
            Sample.class, "sample/add", List.of("first", "second"), reply -> List.of(reply.number(0), reply.number(1)));

    static final Script<Reply> ECHO = Script.of(Sample.class, "sample/echo", List.of("any…"), reply -> reply);

    static final Keyspace KEYSPACE = Keyspace.of(
            "test:core",
            CoreKeys.SERVICE,
            new Service("sample", List.of(COUNTER), List.of(ADD, ECHO), Set.of("get", "set", "incr")));

    /** Much longer than anything here takes: a test that fails waits, one that passes does not. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Sample() {}

    static Redis connect(RedisOptions options) {
        return Redis.connect(options, KEYSPACE, TestMeters.REGISTRY);
    }

    /** A few calls under a timeout that a busy machine does not reach. */
    static RedisOptions patient(String url) {
        return RedisOptions.of(url).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    /** Fails fast, opens soon, and asks often whether the node is back. */
    static RedisOptions quick(String url) {
        return RedisOptions.of(url)
                .withTimeout(Duration.ofMillis(250), Duration.ofSeconds(1))
                .withBreaker(new RedisOptions.Breaker(5, Duration.ofSeconds(30), Duration.ofMillis(50)))
                .withTopologyRefresh(Duration.ofSeconds(1));
    }

    static Key counter(String partition, String id) {
        return COUNTER.of(partition, id);
    }

    static String nameOf(Key key) {
        return KEYSPACE.wholeName(key);
    }

    static @Nullable String get(Redis redis, Key key) {
        return redis.read(key, (commands, name) -> commands.get(name));
    }

    static void set(Redis redis, Key key, String value) {
        redis.write(key, (commands, name) -> commands.set(name, value));
    }

    /** A write: what it does shows how often it was done. */
    static long increment(Redis redis, Key key) {
        return redis.write(key, (commands, name) -> commands.incr(name));
    }

    /** Whether a counter can be written; for waiting until it can. */
    static boolean canIncrement(Redis redis, Key key) {
        try {
            increment(redis, key);
            return true;
        } catch (RedisUnavailableException unavailable) {
            return false;
        }
    }
}
