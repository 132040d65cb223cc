package dev.hotstate.testkit;

import java.util.List;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions on what a Redis holds, standalone or Cluster.
 *
 * <pre>{@code
 * assertThat(redis).hasOnlyKeys("user:1", "user:1:visits");
 * assertThat(redis).key("user:1").isHash().containsEntry("name", "Ada");
 * assertThat(redis).key("user:1:visits").hasTtlBetween(ofMinutes(59), ofHours(1)).isString().isEqualTo("3");
 * assertThat(redis).everyKeyHasLifetime(key -> key.startsWith("user:"));
 * }</pre>
 */
public final class RedisAssert extends AbstractAssert<RedisAssert, RedisTarget> {

    private RedisAssert(RedisTarget actual) {
        super(actual, RedisAssert.class);
    }

    /** Stands beside AssertJ's own {@code assertThat}: both can be imported. */
    public static RedisAssert assertThat(RedisTarget actual) {
        return new RedisAssert(actual);
    }

    public RedisAssert isEmpty() {
        Assertions.assertThat(keys()).as("keys").isEmpty();
        return this;
    }

    public RedisAssert hasOnlyKeys(String... expected) {
        Assertions.assertThat(keys()).as("keys").containsExactlyInAnyOrder(expected);
        return this;
    }

    public RedisAssert hasKeys(String... expected) {
        Assertions.assertThat(keys()).as("keys").contains(expected);
        return this;
    }

    /** What follows is about this key, which need not exist. */
    public RedisKeyAssert key(String key) {
        isNotNull();
        return new RedisKeyAssert(actual, key);
    }

    /** Every key expires by itself, except those that are kept on purpose. */
    public RedisAssert everyKeyHasLifetime(Predicate<String> except) {
        List<String> eternal = keys().stream()
                .filter(except.negate())
                .filter(key -> actual.commands().pttl(key) == RedisKeyAssert.NO_TTL)
                .toList();
        Assertions.assertThat(eternal).as("keys that never expire").isEmpty();
        return this;
    }

    private SortedSet<String> keys() {
        isNotNull();
        return actual.keys();
    }
}
