package dev.hotstate.traffic;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Key;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Instances on one clock that flush when a test says so. One that is not closed has crashed. */
final class TestFleet implements AutoCloseable {
    static final Keyspace KEYSPACE = Keyspace.of("it:traffic", CoreKeys.SERVICE, TrafficKeys.SERVICE);

    /** Not the begin of an hour, a minute or ten seconds. */
    static final Instant START = Instant.parse("2026-01-01T10:17:23Z");

    final SettableClock clock = SettableClock.at(START);
    private final RedisOptions options;
    private final List<Redis> connections = new ArrayList<>();
    private Checkpoints checkpoints = Checkpoints.none();

    TestFleet(RedisTarget target) {
        this(RedisOptions.of(target.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10)));
    }

    /** One that notices soon that Redis does not answer, or does again. */
    static TestFleet quick(String uri) {
        return new TestFleet(RedisOptions.of(uri)
                .withTimeout(Duration.ofMillis(500), Duration.ofSeconds(1))
                .withBreaker(new RedisOptions.Breaker(5, Duration.ofSeconds(30), Duration.ofMillis(50))));
    }

    private TestFleet(RedisOptions options) {
        this.options = options.withClock(clock);
    }

    /** From now on, new instances find this checkpoint. */
    TestFleet keeping(Checkpoint checkpoint) {
        checkpoints = () -> Optional.of(checkpoint);
        return this;
    }

    TestFleet asking(Checkpoints source) {
        checkpoints = source;
        return this;
    }

    Traffic instance(String name) {
        return instance(TrafficOptions.of(name, clock));
    }

    Traffic instance(TrafficOptions chosen) {
        return Traffic.idle(connect(), chosen, checkpoints);
    }

    Redis connect() {
        Redis redis = Redis.connect(options, KEYSPACE, TestMeters.REGISTRY);
        connections.add(redis);
        return redis;
    }

    static String nameOf(Key key) {
        return KEYSPACE.wholeName(key);
    }

    static void get(Traffic traffic, String route, int status, long ms) {
        traffic.recorder().record("GET", route, status, Duration.ofMillis(ms));
    }

    /** Flushes, unless Redis does not answer. */
    static boolean flushes(Traffic traffic) {
        try {
            traffic.flush();
            return true;
        } catch (RedisUnavailableException away) {
            return false;
        }
    }

    @Override
    public void close() {
        connections.forEach(Redis::close);
    }
}
