package dev.hotstate.traffic;

import static java.util.Objects.requireNonNull;

import dev.hotstate.core.Key;
import dev.hotstate.core.Redis;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is read from Redis; several keys in one round trip. */
final class RedisFigures {
    private final Redis redis;

    RedisFigures(Redis redis) {
        this.redis = redis;
    }

    /** The word of this life of the counters; empty when they are lost. */
    Optional<String> life() {
        return Optional.ofNullable(redis.read(TrafficKeys.LIFE.of(), (commands, name) -> commands.get(name)));
    }

    /** Requests of all instances and endpoints. */
    long total() {
        return numbers(List.of(TrafficKeys.TOTAL.of())).getFirst().longValue();
    }

    /** The numbers at these keys, 0 where there is none. */
    List<Double> numbers(List<Key> keys) {
        return redis.readAll(keys, (commands, name) -> commands.get(name)).stream()
                .map(value -> value == null ? 0.0 : Double.parseDouble(value))
                .toList();
    }

    List<Map<String, String>> hashes(List<Key> keys) {
        return redis.readAll(keys, (commands, name) -> commands.hgetall(name));
    }

    /** The values of these fields, of those that are there. */
    List<String> fields(Map<Key, List<String>> wanted) {
        Map<String, String[]> byName = new HashMap<>();
        wanted.forEach((key, fields) -> byName.put(redis.keyspace().wholeName(key), fields.toArray(String[]::new)));
        return redis
                .readAll(
                        List.copyOf(wanted.keySet()),
                        (commands, name) -> commands.hmget(name, requireNonNull(byName.get(name))))
                .stream()
                .flatMap(List::stream)
                .filter(KeyValue::hasValue)
                .map(KeyValue::getValue)
                .toList();
    }

    /** Full names by segment. */
    Map<String, String> endpoints() {
        return redis.read(TrafficKeys.ENDPOINTS.of(), (commands, name) -> commands.hgetall(name));
    }

    /** How many there are, {@code other} not included. */
    long endpointCount() {
        long all = redis.read(TrafficKeys.ENDPOINTS.of(), (commands, name) -> commands.hlen(name));
        return knows(Endpoint.OTHER.segment()) ? all - 1 : all;
    }

    /** Segments that were last flushed before that time, so many at most, the longest ago first. */
    List<String> unseenSince(long ms, int most) {
        Range<Long> before = Range.from(Boundary.unbounded(), Boundary.including(ms));
        return redis.read(
                TrafficKeys.SEEN.of(), (commands, name) -> commands.zrangebyscore(name, before, Limit.from(most)));
    }

    boolean knows(String segment) {
        return redis.read(TrafficKeys.ENDPOINTS.of(), (commands, name) -> commands.hget(name, segment)) != null;
    }

    Set<String> statuses() {
        return redis.read(TrafficKeys.STATUSES.of(), (commands, name) -> commands.smembers(name));
    }

    /** All of the last day. */
    List<String> instances() {
        return redis.read(TrafficKeys.INSTANCES.of(), (commands, name) -> commands.zrange(name, 0, -1));
    }

    /** Those of them that hold a lease now, by Redis's clock. */
    List<String> living() {
        return RedisTraffic.LIVING.run(redis, List.of(TrafficKeys.INSTANCES.of()), List.of(redis.scriptTime()));
    }

    /** Newest first, each as its time in ms and what was written. */
    List<Map.Entry<Long, String>> samples(String segment) {
        return redis
                .read(
                        TrafficKeys.RESPONSE_TIMES.of(segment),
                        (commands, name) -> commands.zrevrangeWithScores(name, 0, -1))
                .stream()
                .map(entry -> Map.entry((long) entry.getScore(), entry.getValue()))
                .toList();
    }
}
