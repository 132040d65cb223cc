package dev.hotstate.core;

import dev.hotstate.core.Lanes.Lane;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * One face for a standalone Redis, Sentinel and Cluster, that never waits longer than its deadline.
 *
 * <p>A call blocks its (virtual) thread. Each attempt has a timeout, and the call with all its repeats one deadline. It is
 * repeated after 100, 200 and 400 ms when Redis surely did nothing, or when the caller said that repeating is safe
 * ({@link #read}). Each node has a circuit breaker; a call to a node whose circuit is open fails at once, and the calls
 * under way at any time are bounded, so a Redis that hangs costs neither threads nor memory.
 */
public final class Redis implements AutoCloseable {
    private static final long[] PAUSES_MS = {100, 200, 400};

    private final RedisOptions options;
    private final Keyspace keyspace;
    private final Set<KeyFamily> declared;
    private final Deployment deployment;
    private final Lanes lanes;
    private final Breakers breakers;
    private final Probe probe;
    private final RedisMeters meters;

    private Redis(RedisOptions options, Keyspace keyspace, Deployment deployment, MeterRegistry registry) {
        this.options = options;
        this.keyspace = keyspace;
        this.declared = Set.copyOf(keyspace.families());
        this.deployment = deployment;
        this.lanes = new Lanes(deployment, options.minConnections(), options.maxConnections());
        this.breakers = new Breakers(options.breaker(), registry, node -> deployment.refresh());
        this.probe = new Probe(deployment, lanes, breakers, options);
        this.meters = new RedisMeters(registry);
        Gauge.builder("hotstate.redis.connections", lanes, Lanes::size).register(registry);
        Gauge.builder("hotstate.redis.calls.inflight", lanes, Lanes::inFlight).register(registry);
    }

    /**
     * Connects, or says why not: wrong password, closed port, unknown host, a Redis older than 7.0.
     *
     * @throws RedisUnavailableException with one sentence for the person who configured the address
     */
    public static Redis connect(RedisOptions options, Keyspace keyspace, MeterRegistry registry) {
        Deployment deployment = options.address().kind() == RedisAddress.Kind.CLUSTER
                ? new ClusterDeployment(options)
                : new SingleDeployment(options);
        try {
            return new Redis(options, keyspace, deployment, registry);
        } catch (RuntimeException failed) {
            deployment.close();
            throw new RedisUnavailableException(
                    "cannot use Redis at " + options.address() + ": " + Causes.sentence(failed), failed);
        }
    }

    /** Sends what only reads, or what may happen twice: repeated while the deadline allows. */
    public <T> T read(Key key, RedisCommand<T> command) {
        return call(key, true, command);
    }

    /** As {@link #read}, but answers from elsewhere when Redis does not. */
    public <T> T readOr(Key key, RedisCommand<T> command, Function<RedisUnavailableException, T> fallback) {
        try {
            return read(key, command);
        } catch (RedisUnavailableException unavailable) {
            meters.fellBack();
            return fallback.apply(unavailable);
        }
    }

    /** Sends what must not happen twice: repeated only when Redis surely did nothing. */
    public <T> T write(Key key, RedisCommand<T> command) {
        return call(key, false, command);
    }

    /** One command for each key, all under way at once; the answers come in the order of the keys. */
    public <T> List<T> readAll(List<Key> keys, RedisCommand<T> command) {
        List<Pipelined<T>> calls = new ArrayList<>(keys.size());
        for (Key key : keys) {
            calls.add(new Pipelined<>(key, command));
        }
        return callAll(calls, true);
    }

    /** One of several calls that are sent together. */
    record Pipelined<T>(Key key, RedisCommand<T> command) {}

    <T> T call(Key key, boolean repeatable, RedisCommand<T> command) {
        requireDeclared(key);
        long start = System.nanoTime();
        long deadline = start + options.deadline().toNanos();
        for (int attempt = 0; ; attempt++) {
            Attempt<T> sent = send(key, command);
            try {
                T answer = sent.await(deadline);
                meters.answered(System.nanoTime() - start);
                return answer;
            } catch (FailedAttempt failed) {
                beforeRepeat(failed, command, repeatable, attempt, deadline);
            }
        }
    }

    <T> List<T> callAll(List<Pipelined<T>> calls, boolean repeatable) {
        long start = System.nanoTime();
        long deadline = start + options.deadline().toNanos();
        List<Attempt<T>> sent = new ArrayList<>(calls.size());
        for (Pipelined<T> call : calls) {
            requireDeclared(call.key());
            sent.add(send(call.key(), call.command()));
        }
        List<T> answers = new ArrayList<>(calls.size());
        for (int i = 0; i < sent.size(); i++) {
            Pipelined<T> call = calls.get(i);
            Attempt<T> current = sent.get(i);
            for (int attempt = 0; ; attempt++) {
                try {
                    answers.add(current.await(deadline));
                    break;
                } catch (FailedAttempt failed) {
                    beforeRepeat(failed, call.command(), repeatable, attempt, deadline);
                    current = send(call.key(), call.command());
                }
            }
        }
        meters.answered(System.nanoTime() - start);
        return answers;
    }

    /** What scripts are told as the time: nothing, so that they ask Redis; or a test's clock, in microseconds. */
    String scriptTime() {
        return options.clock()
                .map(clock -> Long.toString(clock.instant().toEpochMilli() * 1000))
                .orElse("");
    }

    RedisMeters meters() {
        return meters;
    }

    /** A connection of its own, for commands that block. */
    Deployment.Connection dedicated() {
        return deployment.connect();
    }

    public Keyspace keyspace() {
        return keyspace;
    }

    public boolean isCluster() {
        return deployment.isCluster();
    }

    /** Every node that takes writes. */
    public List<String> masters() {
        return deployment.masters();
    }

    /** {@code INFO} of one node, by field; empty when it does not answer in time. */
    public Map<String, String> info(String node, String section) {
        return deployment.info(lanes.pick().connection(), node, section, options.timeout());
    }

    /** The commands of one node alone, for what has no key, such as SCAN. Nothing is repeated there. */
    public Optional<RedisClusterAsyncCommands<String, String>> node(String node) {
        return deployment.node(lanes.pick().connection(), node);
    }

    /** The node that serves a partition now. */
    String nodeOf(Key key) {
        return deployment.nodeOf(key);
    }

    /** The connections and circuits as they are now. */
    public Usage usage() {
        return new Usage(lanes.size(), options.maxConnections(), lanes.inFlight(), breakers.states());
    }

    /**
     * @param connections open now
     * @param inFlight calls under way
     * @param circuits by node: closed, open or half_open
     */
    public record Usage(int connections, int maxConnections, int inFlight, Map<String, String> circuits) {
        public boolean allClosed() {
            return circuits.values().stream().allMatch("closed"::equals);
        }
    }

    @Override
    public void close() {
        probe.close();
        lanes.close();
        deployment.close();
    }

    private <T> Attempt<T> send(Key key, RedisCommand<T> command) {
        CircuitBreaker breaker = breakers.of(deployment.nodeOf(key));
        if (!breaker.tryAcquirePermission()) {
            meters.failed("circuit_open");
            throw new RedisUnavailableException("the circuit of Redis node " + breaker.getName() + " is open", null);
        }
        if (lanes.inFlight() >= options.queue()) {
            breaker.releasePermission();
            meters.failed("overloaded");
            throw new RedisUnavailableException("more than " + options.queue() + " calls to Redis are under way", null);
        }
        Lane lane = lanes.pick();
        lane.enter();
        try {
            return new Attempt<>(breaker, lane, command.send(lane.connection().commands(), keyspace.wholeName(key)));
        } catch (RuntimeException unsent) {
            return new Attempt<>(breaker, lane, new PipelinedRedisFuture<>(CompletableFuture.failedFuture(unsent)));
        }
    }

    /** Returns when the command may be sent once more; throws when it may not. */
    private void beforeRepeat(
            FailedAttempt failed, RedisCommand<?> command, boolean repeatable, int attempt, long deadline) {
        if (failed.kind == Failure.NO_SCRIPT && command instanceof ScriptCommand script) {
            script.sendWhole();
            return;
        }
        boolean mayRepeat = failed.kind.isSafeToRepeat() || repeatable && failed.kind == Failure.UNKNOWN;
        long left = deadline - System.nanoTime();
        if (!mayRepeat || attempt == PAUSES_MS.length || left <= TimeUnit.MILLISECONDS.toNanos(PAUSES_MS[attempt])) {
            meters.failed(failed.kind.name().toLowerCase(Locale.ROOT));
            throw failed.asException();
        }
        meters.repeated();
        try {
            Thread.sleep(PAUSES_MS[attempt]);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new RedisUnavailableException("interrupted while waiting for Redis", stopped);
        }
    }

    private void requireDeclared(Key key) {
        if (!declared.contains(key.family())) {
            throw new IllegalArgumentException(key + " is of a family that this keyspace does not declare");
        }
    }

    /** One command under way. */
    private final class Attempt<T> {
        private final CircuitBreaker breaker;
        private final Lane lane;
        private final RedisFuture<T> future;
        private final long sentAt = System.nanoTime();

        Attempt(CircuitBreaker breaker, Lane lane, RedisFuture<T> future) {
            this.breaker = breaker;
            this.lane = lane;
            this.future = future;
        }

        T await(long deadline) throws FailedAttempt {
            try {
                long wait = Math.min(options.timeout().toNanos(), deadline - sentAt) - (System.nanoTime() - sentAt);
                T answer = future.toCompletableFuture().get(Math.max(wait, 0), TimeUnit.NANOSECONDS);
                breaker.onSuccess(System.nanoTime() - sentAt, TimeUnit.NANOSECONDS);
                return answer;
            } catch (ExecutionException failed) {
                throw failed(failed.getCause() == null ? failed : failed.getCause());
            } catch (TimeoutException late) {
                future.cancel(true);
                throw failed(late);
            } catch (InterruptedException stopped) {
                future.cancel(true);
                breaker.releasePermission();
                Thread.currentThread().interrupt();
                throw new RedisUnavailableException("interrupted while waiting for Redis", stopped);
            } finally {
                lane.leave();
            }
        }

        private FailedAttempt failed(Throwable cause) {
            Failure kind = Failure.of(cause);
            if (kind.countsAgainstNode()) {
                breaker.onError(System.nanoTime() - sentAt, TimeUnit.NANOSECONDS, cause);
            } else {
                breaker.onSuccess(System.nanoTime() - sentAt, TimeUnit.NANOSECONDS);
            }
            return new FailedAttempt(kind, cause);
        }
    }

    /** Carries an attempt's end to the loop that decides whether there is another. */
    static final class FailedAttempt extends Exception {
        private static final long serialVersionUID = 1L;
        private final Failure kind;
        private final Throwable reason;

        FailedAttempt(Failure kind, Throwable reason) {
            super(null, reason, false, false);
            this.kind = kind;
            this.reason = reason;
        }

        HotstateException asException() {
            return switch (kind) {
                case REFUSED -> new RedisRefusedException("Redis refused: " + reason.getMessage(), reason);
                case UNKNOWN -> new RedisUnavailableException("Redis did not answer in time", reason);
                default -> new RedisUnavailableException("Redis is not ready: " + Causes.sentence(reason), reason);
            };
        }
    }
}
