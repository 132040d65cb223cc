package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every target promises; also an example of one contract that runs on standalone and on Cluster. */
abstract class RedisTargetContract {
    private final RedisTarget redis;

    RedisTargetContract(RedisTarget redis) {
        this.redis = redis;
    }

    @Test
    void everyKeyIsListedWhereverItLives() {
        redis.flushAll();
        IntStream.range(0, 100).forEach(i -> redis.commands().set("key-" + i, "v"));

        assertThat(redis.keys()).hasSize(100).contains("key-0", "key-99");
    }

    @Test
    void flushAllLeavesNoKey() {
        IntStream.range(0, 100).forEach(i -> redis.commands().set("key-" + i, "v"));

        redis.flushAll();

        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void theUriSaysWhatItIs() {
        assertThat(redis.uri()).startsWith(redis.isCluster() ? "redis-cluster://" : "redis://");
    }
}
