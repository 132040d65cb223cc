package dev.hotstate.drivers;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.ReadyPartition;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two regions on a real Redis whose time stands until a test moves it. */
final class RegionBench implements AutoCloseable {
    static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    static final Duration HEARTBEAT = Duration.ofSeconds(60);
    static final Profile PLAIN = new Profile(null, null, null, List.of());

    /** A busy machine is not what is tested here. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    final Partition region = new Partition("blr");
    final Partition other = new Partition("mys");
    final SettableClock clock = SettableClock.at(NOON);
    final RedisTarget target;
    final Redis redis;
    final Passes passes;
    final RedisFixes fixes;
    final RedisTruth truth;
    final RedisSweeps sweeps;
    final RedisLook look;

    RegionBench(RedisTarget target) {
        target.flushAll();
        this.target = target;
        redis = Redis.connect(
                RedisOptions.of(target.uri()).withTimeout(PATIENCE, PATIENCE).withClock(clock),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, DriverKeys.SERVICE)),
                TestMeters.REGISTRY);
        passes = ReadyPartition.open(redis, region, 1);
        ReadyPartition.open(redis, other, 1);
        fixes = new RedisFixes(redis, passes, HEARTBEAT);
        truth = new RedisTruth(redis, passes, HEARTBEAT);
        sweeps = new RedisSweeps(redis, passes, HEARTBEAT);
        look = new RedisLook(redis, passes);
    }

    static CellFix fix(String id) {
        return fix(id, null, null);
    }

    static CellFix fix(String id, @Nullable Long seq, @Nullable Instant at) {
        return new CellFix(id, Cell.of(12.97, 77.59), seq, at, null, null);
    }

    static CellFix fixAt(String id, double lat, double lon) {
        return new CellFix(id, Cell.of(lat, lon), null, null, null, null);
    }

    /** Of a driver of the first epoch that is what nobody has decided. */
    static Truth free(String id, long version) {
        return new Truth(id, 1, version, Status.AVAILABLE, false, false, NOON, null, PLAIN);
    }

    static Truth busy(String id, long version) {
        return new Truth(id, 1, version, Status.BUSY, false, false, NOON, null, PLAIN);
    }

    static Truth chosen(String id, long version) {
        return new Truth(id, 1, version, Status.OFFLINE, true, false, NOON, null, PLAIN);
    }

    static Truth alive(String id, long version) {
        return new Truth(id, 1, version, Status.AVAILABLE, false, true, NOON, null, PLAIN);
    }

    Truth reserved(String id, long version) {
        Held held = new Held("r-" + id, "1-7", clock.instant().plusSeconds(30));
        return new Truth(id, 1, version, Status.AVAILABLE, false, false, NOON, held, PLAIN);
    }

    static Truth tagged(Truth truth, String... tags) {
        return new Truth(
                truth.id(),
                truth.epoch(),
                truth.version(),
                truth.status(),
                truth.chosen(),
                truth.alive(),
                truth.since(),
                truth.held(),
                new Profile("Asha", "KA-01", 4.5, List.of(tags)));
    }

    /** A driver enters if it is new. */
    FixReply update(CellFix fix) {
        return fixes.update(region, List.of(fix), true).getFirst();
    }

    Settled settle(Truth decided) {
        return truth.settle(region, List.of(decided)).getFirst();
    }

    Pass pass() {
        return passes.of(region);
    }

    DriverLine line(String id) {
        return driver(id).line();
    }

    LiveDriver driver(String id) {
        LiveDriver driver = look.drivers(region, List.of(id)).get(id);
        if (driver == null) {
            throw new AssertionError(id + " is not in " + region);
        }
        return driver;
    }

    boolean isIn(Partition where, String id) {
        return look.drivers(where, List.of(id)).containsKey(id);
    }

    /** Who can be found, by id. */
    List<String> found() {
        return target.commands().zrange(key("geo"), 0, -1).stream().sorted().toList();
    }

    List<String> foundBy(String tag) {
        return target.commands().zrange(key("tagged:" + tag), 0, -1).stream()
                .sorted()
                .toList();
    }

    @Nullable
    Double heartbeatEnds(String id) {
        return target.commands().zscore(key("online"), id);
    }

    String key(String name) {
        return key(region, name);
    }

    static String key(Partition region, String name) {
        return "dev:hotstate:" + region + ":drivers:" + name;
    }

    @Override
    public void close() {
        redis.close();
    }
}
