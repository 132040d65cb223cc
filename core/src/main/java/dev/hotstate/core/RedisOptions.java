package dev.hotstate.core;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * How to reach Redis, and how patient to be with it.
 *
 * @param address where: standalone, Sentinel or Cluster, with or without TLS
 * @param timeout the longest one attempt may take
 * @param deadline the longest a call may take with all its repeats
 * @param minConnections connections opened at once; each carries many calls at a time
 * @param maxConnections connections opened under load
 * @param queue calls under way at once, over all connections; one more is refused
 * @param breaker when to stop asking a node that does not answer
 * @param topologyRefresh how often a cluster is asked who serves what, beside the times it tells by itself
 * @param clock time that scripts are told instead of Redis's own; for tests
 */
public record RedisOptions(
        RedisAddress address,
        Duration timeout,
        Duration deadline,
        int minConnections,
        int maxConnections,
        int queue,
        Breaker breaker,
        Duration topologyRefresh,
        Optional<InstantSource> clock) {

    /**
     * @param failures failures in a row that open a node's circuit
     * @param open how long it then stays open at most, before one call may try
     * @param probe how often an open circuit's node is asked with a PING; an answer closes it
     */
    public record Breaker(int failures, Duration open, Duration probe) {
        public Breaker {
            atLeast("failures", failures, 1);
            positive("open", open);
            positive("probe", probe);
        }
    }

    public RedisOptions {
        positive("timeout", timeout);
        positive("deadline", deadline);
        atLeast("minConnections", minConnections, 1);
        atLeast("maxConnections", maxConnections, minConnections);
        atLeast("queue", queue, 1);
        positive("topologyRefresh", topologyRefresh);
    }

    /** The defaults, for a URL as {@link RedisAddress#parse} takes it. */
    public static RedisOptions of(String url) {
        return new RedisOptions(
                RedisAddress.parse(url),
                Duration.ofMillis(250),
                Duration.ofSeconds(2),
                5,
                20,
                10_000,
                new Breaker(5, Duration.ofSeconds(30), Duration.ofMillis(500)),
                Duration.ofSeconds(5),
                Optional.empty());
    }

    public RedisOptions withTimeout(Duration attempt, Duration wholeCall) {
        return new RedisOptions(
                address, attempt, wholeCall, minConnections, maxConnections, queue, breaker, topologyRefresh, clock);
    }

    public RedisOptions withConnections(int min, int max) {
        return new RedisOptions(address, timeout, deadline, min, max, queue, breaker, topologyRefresh, clock);
    }

    public RedisOptions withQueue(int calls) {
        return new RedisOptions(
                address, timeout, deadline, minConnections, maxConnections, calls, breaker, topologyRefresh, clock);
    }

    public RedisOptions withBreaker(Breaker rule) {
        return new RedisOptions(
                address, timeout, deadline, minConnections, maxConnections, queue, rule, topologyRefresh, clock);
    }

    public RedisOptions withTopologyRefresh(Duration every) {
        return new RedisOptions(
                address, timeout, deadline, minConnections, maxConnections, queue, breaker, every, clock);
    }

    /** Scripts are told this clock's time: a test advances it instead of sleeping. */
    public RedisOptions withClock(InstantSource source) {
        return new RedisOptions(
                address,
                timeout,
                deadline,
                minConnections,
                maxConnections,
                queue,
                breaker,
                topologyRefresh,
                Optional.of(source));
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", not " + value);
        }
    }
}
