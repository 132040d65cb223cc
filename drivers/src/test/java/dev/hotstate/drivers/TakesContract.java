package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Fence;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drivers that are taken and let go, on one Redis and on a cluster. */
abstract class TakesContract {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final RedisTarget target;
    private Town town;
    private RedisTakes takes;
    private RedisLook look;

    TakesContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void open() {
        town = new Town(target);
        takes = new RedisTakes(town.redis, town.passes);
        look = new RedisLook(town.redis, town.passes);
    }

    @AfterEach
    void close() {
        town.close();
    }

    @Test
    void theNearestIsTakenAndNobodyElseFindsIt() {
        town.drive("near", 12.9717, 77.5946);
        town.describe("near", 4.5, "van");
        town.drive("far", 12.98, 77.5946);

        List<RedisTakes.Taken> taken = takes.take(town.region, wish(null), 1, List.of("r1"));

        assertThat(taken).extracting(one -> one.driver().id()).containsExactly("near");
        Held held = taken.getFirst().held();
        assertThat(held.reservation()).isEqualTo("r1");
        assertThat(held.until()).isEqualTo(town.clock.instant().plus(LEASE).plus(RedisTakes.MARGIN));
        LiveDriver near = look.drivers(town.region, List.of("near")).get("near");
        assertThat(near.line().isReserved()).isTrue();
        assertThat(near.held()).isEqualTo(held);
        assertThat(town.found(search(null))).extracting(Town.At::id).containsExactly("far");
        assertThat(town.found(search("van"))).isEmpty();
        assertThat(look.counts(town.region).counts()).isEqualTo(new Summary.Counts(2, 0, 0, 1));
    }

    @Test
    void severalAreTakenAtOnceNearestFirstAndFewerWhereThereAreNoMore() {
        town.drive("b", 12.973, 77.5946);
        town.drive("a", 12.972, 77.5946);

        List<RedisTakes.Taken> taken = takes.take(town.region, wish(null), 3, List.of("r1", "r2", "r3"));

        assertThat(taken).extracting(one -> one.driver().id()).containsExactly("a", "b");
        assertThat(taken).extracting(one -> one.held().reservation()).containsExactly("r1", "r2");
        assertThat(takes.take(town.region, wish(null), 1, List.of("r4"))).isEmpty();
    }

    @Test
    void theFenceGrowsWithEachTakeAlsoWhileTheClockStands() {
        town.drive("a", 12.972, 77.5946);

        Fence first = take("r1");
        takes.release(town.region, "a", first.toString());
        Fence second = take("r2");

        assertThat(second).isGreaterThan(first);
    }

    @Test
    void whoIsLetGoIsFoundAsBefore() {
        town.drive("a", 12.972, 77.5946);
        town.describe("a", 4.5, "van");
        LiveDriver before = look.drivers(town.region, List.of("a")).get("a");
        Fence fence = take("r1");

        assertThat(takes.release(town.region, "a", fence.toString())).isTrue();

        assertThat(look.drivers(town.region, List.of("a"))).containsEntry("a", before);
        assertThat(town.found(search("van")))
                .isEqualTo(town.expected(search("van")))
                .hasSize(1);
        assertThat(look.counts(town.region).counts()).isEqualTo(new Summary.Counts(1, 0, 0, 0));
        assertThat(takes.release(town.region, "a", fence.toString())).isFalse();
    }

    @Test
    void whoIsLetGoAfterItsHeartbeatIsOffline() {
        town.drive("a", 12.972, 77.5946);
        List<RedisTakes.Taken> taken = takes.take(town.region, wish(null), 1, List.of("r1"));
        town.clock.advance(Town.HEARTBEAT);

        takes.releaseAll(town.region, taken);

        DriverLine line = look.drivers(town.region, List.of("a")).get("a").line();
        assertThat(line.status()).isEqualTo(Status.OFFLINE);
        assertThat(line.since()).isEqualTo(town.clock.instant());
    }

    @Test
    void aStaleFenceLetsNobodyGo() {
        town.drive("a", 12.972, 77.5946);
        Fence first = take("r1");
        takes.release(town.region, "a", first.toString());
        take("r2");

        assertThat(takes.release(town.region, "a", first.toString())).isFalse();
        assertThat(takes.release(town.region, "unknown", first.toString())).isFalse();
        assertThat(look.drivers(town.region, List.of("a")).get("a").line().isReserved())
                .isTrue();
    }

    @Test
    void aTakeThatSearchesInPartsTakesTheNearestAllTheSame() {
        Map<String, Long> many = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            many.put("d" + i, Cell.of(12.95 + i * 0.0001, 77.57 + i % 20 * 0.002));
        }
        town.drive(town.region, many);
        List<String> ids = IntStream.range(0, 90).mapToObj(i -> "r" + i).toList();
        List<String> nearest =
                town.expected(search(null)).stream().limit(90).map(Town.At::id).toList();

        List<RedisTakes.Taken> taken = new RedisTakes(town.redis, town.passes, new Nearby.Effort(20, 3))
                .take(town.region, wish(null), 90, ids);

        assertThat(taken).extracting(one -> one.driver().id()).isEqualTo(nearest);
        assertThat(taken).extracting(one -> one.held().reservation()).isEqualTo(ids);
    }

    @Test
    void aTakeThatFailsOnItsWayLetsGoOfWhomItHas() {
        Map<String, Long> many = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            many.put("d" + i, Cell.of(12.95 + i * 0.0001, 77.57 + i % 20 * 0.002));
        }
        town.drive(town.region, many);
        List<String> ids = IntStream.range(0, 90).mapToObj(i -> "r" + i).toList();
        // The region is lost after the first part, as far as whoever takes can tell, and whole again for the undoing.
        AtomicInteger calls = new AtomicInteger();
        Passes lostOnce = region -> calls.incrementAndGet() == 2 ? new Pass.Ready(2) : town.passes.of(region);

        assertThatThrownBy(() -> new RedisTakes(town.redis, lostOnce, new Nearby.Effort(20, 3))
                        .take(town.region, wish(null), 90, ids))
                .isInstanceOf(RebuildingException.class);

        assertThat(look.counts(town.region).counts()).isEqualTo(new Summary.Counts(300, 0, 0, 0));
        assertThat(town.found(search(null))).isEqualTo(town.expected(search(null)));
    }

    @Test
    void nobodyIsTakenTwiceHoweverManyTakeAtOnce() throws Exception {
        Map<String, Long> many = new TreeMap<>();
        for (int i = 0; i < 40; i++) {
            many.put("d" + i, Cell.of(12.96 + i * 0.0005, 77.5946));
        }
        town.drive(town.region, many);
        List<Future<List<RedisTakes.Taken>>> under = new ArrayList<>();
        try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 60; i++) {
                String id = "r" + i;
                under.add(crowd.submit(() -> takes.take(town.region, wish(null), 1, List.of(id))));
            }
        }
        Set<String> drivers = new HashSet<>();
        for (Future<List<RedisTakes.Taken>> one : under) {
            one.get()
                    .forEach(taken ->
                            assertThat(drivers.add(taken.driver().id())).isTrue());
        }
        assertThat(drivers).isEqualTo(many.keySet());
    }

    @Test
    void nothingIsTakenOrLetGoInARegionThatIsNotWhole() {
        town.drive("a", 12.972, 77.5946);
        RedisTakes stale = new RedisTakes(town.redis, Passes.always(new Pass.Ready(2)));

        assertThatThrownBy(() -> stale.take(town.region, wish(null), 1, List.of("r1")))
                .isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> stale.release(town.region, "a", "1-1")).isInstanceOf(RebuildingException.class);
        assertThat(town.found(search(null))).hasSize(1);
    }

    private Fence take(String reservation) {
        List<RedisTakes.Taken> taken = takes.take(town.region, wish(null), 1, List.of(reservation));
        return Fence.parse(taken.getFirst().held().fence());
    }

    private static Wish wish(String tag) {
        return new Wish(12.9716, 77.5946, 5_000, 1, tag, LEASE, "dispatch");
    }

    private static Search search(String tag) {
        return new Search(12.9716, 77.5946, 5_000, 1_000, tag, Search.Order.DISTANCE);
    }
}
