package dev.hotstate.core;

import dev.hotstate.core.Lanes.Lane;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One face for a standalone Redis, Sentinel and Cluster, that never waits longer than its deadline.
 *
 * <p>A call blocks its (virtual) thread. Each attempt has a timeout, and the call with all its repeats one deadline. It is
 * repeated after 100, 200 and 400 ms when Redis surely did nothing, or when the caller said that repeating is safe
 * ({@link #read}). Each node has a circuit breaker; a call to a node whose circuit is open fails at once, and the calls
 * under way at any time are bounded, so a Redis that hangs costs neither threads nor memory.
 */
public final class Redis implements AutoCloseable {
    private static final int CONNECT_ATTEMPTS = 3;

    private final RedisOptions options;
    private final Keyspace keyspace;
    private final Set<KeyFamily> declared;
    private final Deployment deployment;
    private final Lanes lanes;
    private final Breakers breakers;
    private final Probe probe;
    private final DirectLines lines;
    private final Expiry expiry;
    private final RedisMeters meters;
    private volatile boolean closed;

    private Redis(RedisOptions options, Keyspace keyspace, Deployment deployment, MeterRegistry registry) {
        this.options = options;
        this.keyspace = keyspace;
        this.declared = new HashSet<>(keyspace.families());
        this.declared.add(Keyspace.UNDECLARED);
        this.deployment = deployment;
        this.lanes = new Lanes(deployment, options);
        for (String node : deployment.masters()) {
            ServerInfo.of(info(node, "server")).requireUsable(options.address());
        }
        this.meters = new RedisMeters(registry);
        this.breakers = new Breakers(options.breaker(), registry, node -> deployment.refresh());
        Gauge.builder("hotstate.redis.connections", lanes, Lanes::size).register(registry);
        this.lines = new DirectLines(deployment, options.timeout());
        Gauge.builder("hotstate.redis.lines", lines, DirectLines::size).register(registry);
        Gauge.builder("hotstate.redis.calls.inflight", lanes, Lanes::inFlight).register(registry);
        this.expiry = new Expiry(options.timeout());
        this.probe = new Probe(deployment, lanes, lines, breakers, options);
    }

    /**
     * Connects, or says why not: wrong password, closed port, unknown host, a Redis older than 7.0.
     *
     * @throws RedisUnavailableException with one sentence for the person who configured the address
     */
    public static Redis connect(RedisOptions options, Keyspace keyspace, MeterRegistry registry) {
        for (int attempt = 1; ; attempt++) {
            try {
                return connectOnce(options, keyspace, registry);
            } catch (RedisUnavailableException unusable) {
                throw unusable;
            } catch (RuntimeException failed) {
                // Lettuce can lose the reason of a refused handshake in a race; it tells it when asked again.
                if (Causes.areClear(failed) || attempt == CONNECT_ATTEMPTS) {
                    throw new RedisUnavailableException(
                            "cannot use Redis at " + options.address() + ": " + Causes.ofConnecting(failed), failed);
                }
            }
        }
    }

    private static Redis connectOnce(RedisOptions options, Keyspace keyspace, MeterRegistry registry) {
        Deployment deployment = options.address().kind() == RedisAddress.Kind.CLUSTER
                ? new ClusterDeployment(options)
                : new SingleDeployment(options);
        try {
            return new Redis(options, keyspace, deployment, registry);
        } catch (RuntimeException failed) {
            deployment.close();
            throw failed;
        }
    }

    /** Sends what only reads, or what may happen twice: repeated while the deadline allows. */
    public <T> T read(Key key, RedisCommand<T> command) {
        return call(key, true, request(key, command));
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
        return call(key, false, request(key, command));
    }

    /** One command for each key, all under way at once; the answers come in the order of the keys. */
    public <T> List<T> readAll(List<Key> keys, RedisCommand<T> command) {
        List<Pipeline.Call<T>> calls = new ArrayList<>(keys.size());
        for (Key key : keys) {
            calls.add(new Pipeline.Call<>(key, request(key, command)));
        }
        return callAll(calls, true);
    }

    <T> T call(Key key, boolean repeatable, Request<T> request) {
        return call(key, repeatable, request, () -> send(key, request));
    }

    /**
     * The same, on a line that the call has for itself where one is free, so that the answer comes sooner: for callers that
     * come one at a time and do nothing meanwhile.
     */
    List<Object> callDirectly(Key key, boolean repeatable, ScriptCommand command) {
        return call(key, repeatable, command, () -> sendDirectly(key, command));
    }

    private <T> T call(Key key, boolean repeatable, Request<T> request, Supplier<Attempt<T>> first) {
        Repeats repeats = new Repeats(options, meters, repeatable);
        Attempt<T> sent = first.get();
        while (true) {
            try {
                T answer = sent.await(repeats.until(sent.sentAt()));
                meters.answered(repeats.nanosSinceStart());
                return answer;
            } catch (Attempt.Failed failed) {
                repeats.requireAnother(failed, request);
                repeats.pause();
            }
            sent = send(key, request);
        }
    }

    <T> List<T> callAll(List<Pipeline.Call<T>> calls, boolean repeatable) {
        Repeats repeats = new Repeats(options, meters, repeatable);
        List<T> answers = new Pipeline<>(this, calls, repeats).run();
        meters.answered(repeats.nanosSinceStart());
        return answers;
    }

    /** Sends a request on its way, unless as many as may be are under way, or its node's circuit is open. */
    <T> Attempt<T> send(Key key, Request<T> request) {
        Lane lane = enter();
        return Attempt.send(request, admitted(deployment.nodeOf(key), lane), lane, expiry);
    }

    private Attempt<List<Object>> sendDirectly(Key key, ScriptCommand command) {
        String node = deployment.nodeOf(key);
        DirectLine line = lines.take(node);
        if (line == null) {
            return send(key, command);
        }
        Attempt<List<Object>> asked;
        try {
            Lane lane = enter();
            asked = Attempt.ask(line, free -> free.ask(command.command()), admitted(node, lane), lane, expiry);
        } finally {
            lines.give(node, line);
        }
        if (!asked.isForAnother()) {
            return asked;
        }
        asked.abandon();
        deployment.refresh();
        return send(key, command);
    }

    private Lane enter() {
        if (closed) {
            throw new RedisUnavailableException("this way to Redis is closed", null);
        }
        Lane lane = lanes.enter();
        if (lane == null) {
            meters.failed(Failure.OVERLOADED);
            throw new RedisUnavailableException("more than " + options.queue() + " calls to Redis are under way", null);
        }
        return lane;
    }

    private Circuit admitted(String node, Lane lane) {
        Circuit circuit = breakers.of(node);
        if (!circuit.admits()) {
            lane.leave();
            meters.failed(Failure.CIRCUIT_OPEN);
            throw new RedisUnavailableException("the circuit of Redis node " + circuit.node() + " is open", null);
        }
        return circuit;
    }

    /** The name under which a declared key stands in Redis. */
    String nameOf(Key key) {
        if (!declared.contains(key.family())) {
            throw new IllegalArgumentException(key + " is of a family that this keyspace does not declare");
        }
        return keyspace.wholeName(key);
    }

    /** What scripts are told as the time: nothing, so that they ask Redis; or a test's clock, in microseconds. */
    public String scriptTime() {
        return options.clock()
                .map(clock -> Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant())))
                .orElse("");
    }

    /** The longest one attempt may take. */
    public Duration timeout() {
        return options.timeout();
    }

    RedisMeters meters() {
        return meters;
    }

    /** A connection of its own, for commands that block. */
    Deployment.Connection dedicated() {
        return deployment.connect();
    }

    /** Where it is, with user and password, for whoever needs a connection of its own. */
    public RedisAddress address() {
        return options.address();
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
        return new Usage(lanes.size(), options.maxConnections(), lines.size(), lanes.inFlight(), breakers.states());
    }

    /**
     * @param connections open now, each for many calls at a time
     * @param lines open now, each for one call at a time
     * @param inFlight calls under way
     * @param circuits by node: closed, open or half_open
     */
    public record Usage(int connections, int maxConnections, int lines, int inFlight, Map<String, String> circuits) {
        public boolean allClosed() {
            return circuits.values().stream().allMatch("closed"::equals);
        }
    }

    @Override
    public void close() {
        closed = true;
        probe.close();
        expiry.close();
        lines.close();
        lanes.close();
        deployment.close();
    }

    private <T> Request<T> request(Key key, RedisCommand<T> command) {
        String name = nameOf(key);
        return commands -> command.send(commands, name);
    }
}
