package dev.hotstate.drivers;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.ReadyPartition;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Regions on a real Redis whose time stands until a test moves it, with drivers in them; and what a search of all of them,
 * one by one, would find.
 */
final class Town implements AutoCloseable {
    static final Duration HEARTBEAT = Duration.ofSeconds(60);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final SettableClock clock = SettableClock.at(Instant.parse("2026-06-01T12:00:00Z"));
    final Partition region = new Partition("blr");
    final Partition other = new Partition("maa");
    final Redis redis;
    final Passes passes;
    private final RedisTarget target;
    private final RedisFixes fixes;
    private final RedisTruth truth;
    private final Map<String, Seen> free = new TreeMap<>();

    /** A driver that should be found. */
    private record Seen(String id, Partition region, long cell, List<String> tags) {}

    /** What is expected or was found: a driver, and how far it is. */
    record At(String id, double distance) {}

    Town(RedisTarget target) {
        this.target = target;
        target.flushAll();
        redis = Redis.connect(
                RedisOptions.of(target.uri()).withTimeout(PATIENCE, PATIENCE).withClock(clock),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, DriverKeys.SERVICE)),
                TestMeters.REGISTRY);
        passes = ReadyPartition.open(redis, region, 1);
        ReadyPartition.open(redis, other, 1);
        fixes = new RedisFixes(redis, passes, HEARTBEAT);
        truth = new RedisTruth(redis, passes, HEARTBEAT);
    }

    /** Drivers go, the regions stay. */
    void clear() {
        target.flushAll();
        ReadyPartition.open(redis, region, 1);
        ReadyPartition.open(redis, other, 1);
        free.clear();
    }

    void drive(String id, double lat, double lon) {
        drive(region, Map.of(id, Cell.of(lat, lon)));
    }

    void drive(Partition where, Map<String, Long> cells) {
        List<CellFix> batch = new ArrayList<>();
        cells.forEach((id, cell) -> {
            batch.add(new CellFix(id, cell, null, null, null, null));
            free.put(id, new Seen(id, where, cell, List.of()));
            if (batch.size() == RedisRegion.MAX_BATCH) {
                fixes.update(where, batch, true);
                batch.clear();
            }
        });
        if (!batch.isEmpty()) {
            fixes.update(where, batch, true);
        }
    }

    /** All that are there now are not heard of again. */
    void fallSilent() {
        clock.advance(HEARTBEAT);
        free.clear();
    }

    void mark(String id, Status status) {
        settle(id, status, null, List.of());
        free.remove(id);
    }

    void reserve(String id) {
        settle(id, Status.AVAILABLE, new Held("r-" + id, "1-1", clock.instant().plusSeconds(30)), List.of());
        free.remove(id);
    }

    void describe(String id, double rating, String... tags) {
        Seen before = free.get(id);
        free.put(id, new Seen(id, before.region(), before.cell(), List.of(tags)));
        truth.settle(
                before.region(),
                List.of(new Truth(
                        id,
                        1,
                        1,
                        Status.AVAILABLE,
                        false,
                        true,
                        clock.instant(),
                        null,
                        new Profile(null, null, rating, List.of(tags)))));
    }

    private void settle(String id, Status status, @Nullable Held held, List<String> tags) {
        Partition where = free.get(id).region();
        Profile profile = new Profile(null, null, null, tags);
        truth.settle(where, List.of(new Truth(id, 1, 1, status, true, false, clock.instant(), held, profile)));
    }

    /** One by one. */
    List<At> expected(Search search) {
        return free.values().stream()
                .filter(driver -> search.tag() == null || driver.tags().contains(search.tag()))
                .map(driver -> new At(driver.id(), distance(search, driver.cell())))
                .filter(at -> at.distance() <= search.radius())
                .sorted(Comparator.comparingDouble(At::distance).thenComparing(At::id))
                .limit(search.limit())
                .toList();
    }

    private static double distance(Search search, long cell) {
        return Cell.distance(search.lat(), search.lon(), Cell.lat(cell), Cell.lon(cell));
    }

    List<At> found(Search search) {
        return found(search, Nearby.Effort.USUAL);
    }

    List<At> found(Search search, Nearby.Effort effort) {
        return new RedisSearch(redis, passes, effort)
                .nearest(List.of(region, other), search).stream()
                        .map(candidate -> new At(candidate.id(), candidate.distance()))
                        .toList();
    }

    @Override
    public void close() {
        redis.close();
    }
}
