package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.drivers.PostgresReservations.Hold;
import dev.hotstate.drivers.PostgresReservations.Outcome;
import dev.hotstate.drivers.RedisTakes.Taken;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drivers for somebody: Redis takes the nearest in one step, so that nobody else finds them; PostgreSQL, which cannot forget,
 * has the last word; only then the caller is told. Where PostgreSQL knows better, Redis is told so and the next ones are
 * taken.
 */
final class Reserving {
    private static final Logger log = LoggerFactory.getLogger(Reserving.class);

    /** After a lossy failover many may be refused: each round mends what Redis has forgotten of those it took. */
    private static final int ROUNDS = 10;

    /** Somebody else may take a region's last one between the look at all regions and the take in that one. */
    private static final int MISSES = 100;

    private final RedisTakes takes;
    private final RedisSearch search;
    private final PostgresReservations reservations;
    private final Settling settling;
    private final Supplier<Atlas> atlas;

    Reserving(RedisSide redis, PostgresReservations reservations, Settling settling, Supplier<Atlas> atlas) {
        this.takes = redis.takes();
        this.search = redis.search();
        this.reservations = reservations;
        this.settling = settling;
        this.atlas = atlas;
    }

    List<Reservation> reserve(Wish wish) {
        Map<Partition, List<Taken>> misplaced = new LinkedHashMap<>();
        try {
            List<Reservation> reserved = reserve(wish, misplaced);
            reserved.sort(Comparator.comparingDouble(Reservation::distance).thenComparing(Reservation::driver));
            return reserved;
        } finally {
            release(misplaced);
        }
    }

    /** @param misplaced whom PostgreSQL has elsewhere: they stay taken until the end, so that others are tried */
    private List<Reservation> reserve(Wish wish, Map<Partition, List<Taken>> misplaced) {
        List<Reservation> reserved = new ArrayList<>();
        int rounds = 0;
        int misses = 0;
        while (reserved.size() < wish.count() && rounds < ROUNDS && misses < MISSES) {
            boolean one = atlas.get().hasOnlyDefault();
            Map<Partition, Integer> shares = shares(wish, wish.count() - reserved.size());
            Map<Partition, List<Taken>> taken = take(wish, shares);
            if (!taken.isEmpty()) {
                reserved.addAll(commit(wish, taken, misplaced));
                rounds++;
            } else if (one || shares.isEmpty()) {
                break;
            } else {
                misses++;
            }
        }
        return reserved;
    }

    void confirm(String reservation, String fence) {
        settling.settle(reservations.confirm(reservation, fence), false);
    }

    void cancel(String reservation, String fence) {
        settling.settle(reservations.cancel(reservation, fence), false);
    }

    private Map<Partition, List<Taken>> take(Wish wish, Map<Partition, Integer> shares) {
        Map<Partition, List<Taken>> taken = new LinkedHashMap<>();
        try {
            shares.forEach((region, share) -> {
                List<Taken> some = takes.take(region, wish, share, ids(share));
                if (!some.isEmpty()) {
                    taken.put(region, some);
                }
            });
            return taken;
        } catch (RuntimeException failed) {
            release(taken);
            throw failed;
        }
    }

    /** How many of which region: of one, all; of several, as many as it has among the nearest. */
    private Map<Partition, Integer> shares(Wish wish, int count) {
        if (atlas.get().hasOnlyDefault()) {
            return Map.of(Atlas.DEFAULT, count);
        }
        return search.shares(atlas.get().partitions(), Nearby.of(wish), count);
    }

    private static List<String> ids(int count) {
        List<String> ids = new ArrayList<>(count);
        while (ids.size() < count) {
            ids.add(UUID.randomUUID().toString());
        }
        return ids;
    }

    private List<Reservation> commit(
            Wish wish, Map<Partition, List<Taken>> taken, Map<Partition, List<Taken>> misplaced) {
        Map<String, Taken> byDriver = new HashMap<>();
        List<Hold> holds = new ArrayList<>();
        taken.forEach((region, some) -> some.forEach(one -> {
            if (byDriver.putIfAbsent(one.driver().id(), one) == null) {
                holds.add(new Hold(
                        one.held().reservation(),
                        one.driver().id(),
                        region.tag(),
                        one.held().fence(),
                        one.driver().metres()));
            }
        }));
        try {
            Outcome outcome = reservations.hold(holds, wish.holder(), wish.lease());
            settling.settleAll(outcome.held(), false);
            settling.settleAll(outcome.refused(), false);
            // Where PostgreSQL has them there is nothing to undo; where they were taken, nobody else would.
            Map<String, StoredDriver> refused =
                    HashMap.newHashMap(outcome.refused().size());
            outcome.refused().forEach(driver -> refused.put(driver.id(), driver));
            taken.forEach((region, some) -> some.stream()
                    .filter(one -> isElsewhere(refused.get(one.driver().id()), region))
                    .forEach(one -> misplaced
                            .computeIfAbsent(region, there -> new ArrayList<>())
                            .add(one)));
            return outcome.held().stream()
                    .map(driver -> reservation(wish, driver, Objects.requireNonNull(byDriver.get(driver.id()))))
                    .toList();
        } catch (HotstateException failed) {
            // Should PostgreSQL have committed all the same, it refuses others until the lease ends.
            release(taken);
            throw failed;
        }
    }

    private static boolean isElsewhere(@Nullable StoredDriver refused, Partition region) {
        return refused != null && !refused.partition().equals(region);
    }

    private static Reservation reservation(Wish wish, StoredDriver driver, Taken taken) {
        Sighting found = taken.driver();
        return new Reservation(
                taken.held().reservation(),
                taken.held().fence(),
                wish.holder(),
                driver.id(),
                found.metres(),
                found.lat(),
                found.lon(),
                Objects.requireNonNull(driver.held()).until());
    }

    /** Who cannot be let go now is let go when the lease ends. */
    private void release(Map<Partition, List<Taken>> taken) {
        taken.forEach((region, some) -> {
            try {
                takes.releaseAll(region, some);
            } catch (HotstateException notNow) {
                log.debug("{} drivers of {} are let go later: {}", some.size(), region, notNow.getMessage());
            }
        });
    }
}
