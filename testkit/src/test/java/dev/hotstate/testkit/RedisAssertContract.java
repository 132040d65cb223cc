package dev.hotstate.testkit;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class RedisAssertContract {
    private final RedisTarget redis;
    private final RedisClusterCommands<String, String> commands;

    RedisAssertContract(RedisTarget redis) {
        this.redis = redis;
        this.commands = redis.commands();
    }

    @BeforeEach
    void flush() {
        redis.flushAll();
    }

    @Test
    void keysAreHeldAgainstWhatIsThere() {
        assertThat(redis).isEmpty();
        commands.set("a", "1");
        commands.set("b", "2");

        assertThat(redis).hasOnlyKeys("b", "a").hasKeys("a");
        fails(() -> assertThat(redis).hasOnlyKeys("a"), "b");
        fails(() -> assertThat(redis).hasKeys("c"), "c");
        fails(() -> assertThat(redis).isEmpty(), "a");
    }

    @Test
    void aMissingKeyIsToldFromOneThatExists() {
        commands.set("a", "1");

        assertThat(redis).key("a").exists();
        assertThat(redis).key("b").isMissing();
        fails(() -> assertThat(redis).key("b").exists(), "b");
        fails(() -> assertThat(redis).key("a").isMissing(), "string");
    }

    @Test
    void eachTypeIsReadAsWhatItIs() {
        commands.set("string", "v");
        commands.hset("hash", Map.of("f", "v"));
        commands.rpush("list", "x", "y");
        commands.sadd("set", "x", "y");
        commands.zadd("zset", 2, "later");
        commands.zadd("zset", 1, "sooner");
        commands.xadd("stream", Map.of("f", "v"));

        assertThat(redis).key("string").isString().isEqualTo("v");
        assertThat(redis).key("hash").isHash().containsExactly(entry("f", "v"));
        assertThat(redis).key("list").isList().containsExactly("x", "y");
        assertThat(redis).key("set").isSet().containsExactlyInAnyOrder("y", "x");
        assertThat(redis).key("zset").isSortedSet().containsExactly(entry("sooner", 1.0), entry("later", 2.0));
        assertThat(redis).key("stream").isStream().containsExactly(Map.of("f", "v"));
    }

    @Test
    void anotherTypeOrNoneIsNamed() {
        commands.set("string", "v");

        fails(() -> assertThat(redis).key("string").isHash(), "but it is a string");
        fails(() -> assertThat(redis).key("nothing").isHash(), "but it is missing");
        fails(() -> assertThat(redis).key("string").isString().isEqualTo("w"), "[string]");
    }

    @Test
    void lifetimesAreHeldAgainstBounds() {
        commands.set("kept", "v");
        commands.set("hour", "v", SetArgs.Builder.ex(3_600));

        assertThat(redis).key("kept").hasNoTtl();
        assertThat(redis).key("hour").hasTtlBetween(ofMinutes(30), ofHours(1));
        fails(() -> assertThat(redis).key("hour").hasNoTtl(), "never to expire");
        fails(() -> assertThat(redis).key("hour").hasTtlBetween(ofHours(2), ofHours(3)), "TTL of hour");
        fails(() -> assertThat(redis).key("kept").hasTtlBetween(ofHours(2), ofHours(3)), "never does");
        fails(() -> assertThat(redis).key("nothing").hasNoTtl(), "exist");
    }

    @Test
    void aKeyWithoutALifetimeIsFoundUnlessItIsKeptOnPurpose() {
        commands.set("kept", "v");
        commands.set("hour", "v", SetArgs.Builder.ex(3_600));

        assertThat(redis).everyKeyHasLifetime("kept"::equals);
        fails(() -> assertThat(redis).everyKeyHasLifetime(key -> false), "kept");
    }

    private static void fails(Runnable assertion, String saying) {
        assertThatThrownBy(assertion::run).isInstanceOf(AssertionError.class).hasMessageContaining(saying);
    }
}
