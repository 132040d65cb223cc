package dev.hotstate.testkit;

import io.lettuce.core.Range;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;
import org.assertj.core.api.MapAssert;

/** Assertions on one key; see {@link RedisAssert#key}. */
public final class RedisKeyAssert extends AbstractAssert<RedisKeyAssert, String> {
    static final long NO_TTL = -1;
    private static final String MISSING = "none";

    private final RedisClusterCommands<String, String> redis;

    RedisKeyAssert(RedisTarget target, String key) {
        super(key, RedisKeyAssert.class);
        this.redis = target.commands();
    }

    public RedisKeyAssert exists() {
        if (MISSING.equals(type())) {
            throw failure("Expecting key %s to exist", actual);
        }
        return this;
    }

    public RedisKeyAssert isMissing() {
        String type = type();
        if (!MISSING.equals(type)) {
            throw failure("Expecting key %s to be missing, but it is a %s", actual, type);
        }
        return this;
    }

    public RedisKeyAssert hasNoTtl() {
        exists();
        long millis = redis.pttl(actual);
        if (millis != NO_TTL) {
            throw failure("Expecting key %s never to expire, but it does in %s", actual, Duration.ofMillis(millis));
        }
        return this;
    }

    /** Expires within a time from now that lies between the two, bounds included. */
    public RedisKeyAssert hasTtlBetween(Duration atLeast, Duration atMost) {
        exists();
        long millis = redis.pttl(actual);
        if (millis == NO_TTL) {
            throw failure("Expecting key %s to expire, but it never does", actual);
        }
        Assertions.assertThat(Duration.ofMillis(millis)).as("TTL of " + actual).isBetween(atLeast, atMost);
        return this;
    }

    public AbstractStringAssert<?> isString() {
        hasType("string");
        return Assertions.assertThat(redis.get(actual)).as(actual);
    }

    public MapAssert<String, String> isHash() {
        hasType("hash");
        return Assertions.assertThat(redis.hgetall(actual)).as(actual);
    }

    public ListAssert<String> isList() {
        hasType("list");
        return Assertions.assertThat(redis.lrange(actual, 0, -1)).as(actual);
    }

    /** In no order. */
    public ListAssert<String> isSet() {
        hasType("set");
        return Assertions.assertThat(List.copyOf(redis.smembers(actual))).as(actual);
    }

    /** Scores by member, in the order of the scores; a GEO set is one too. */
    public MapAssert<String, Double> isSortedSet() {
        hasType("zset");
        Map<String, Double> scores = new LinkedHashMap<>();
        redis.zrangeWithScores(actual, 0, -1).forEach(entry -> scores.put(entry.getValue(), entry.getScore()));
        return Assertions.assertThat(scores).as(actual);
    }

    /** The fields of each entry, oldest first. */
    public ListAssert<Map<String, String>> isStream() {
        hasType("stream");
        List<Map<String, String>> entries = redis.xrange(actual, Range.unbounded()).stream()
                .map(message -> message.getBody())
                .toList();
        return Assertions.assertThat(entries).as(actual);
    }

    private void hasType(String expected) {
        String type = type();
        if (!expected.equals(type)) {
            throw failure(
                    "Expecting key %s to be a %s, but it is %s",
                    actual, expected, MISSING.equals(type) ? "missing" : "a " + type);
        }
    }

    private String type() {
        isNotNull();
        return redis.type(actual);
    }
}
