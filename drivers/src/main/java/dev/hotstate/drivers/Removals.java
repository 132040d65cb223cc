package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.drivers.RedisSweeps.Move;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drivers that change their region though no fix of theirs asks for it: moves that were cut short, deleted regions. */
final class Removals {
    private static final Logger log = LoggerFactory.getLogger(Removals.class);

    /** A move that is younger may be under way. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(2);

    private static final Duration TOMBSTONES = Duration.ofHours(1);

    /** When a driver left is by Redis's clock, how far was looked by ours: what lies between them is looked at again. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    private final RedisSide redis;
    private final PostgresDrivers drivers;
    private final Journeys journeys;
    private final Supplier<Atlas> atlas;
    private final InstantSource clock;

    /** By region, up to when its moves were looked at by this instance. */
    private final Map<Partition, Instant> looked = new ConcurrentHashMap<>();

    Removals(RedisSide redis, PostgresDrivers drivers, Journeys journeys, Supplier<Atlas> atlas, InstantSource clock) {
        this.redis = redis;
        this.drivers = drivers;
        this.journeys = journeys;
        this.atlas = atlas;
        this.clock = clock;
    }

    /** Completes moves that were cut short. */
    void completeMoves() {
        if (atlas.get().hasOnlyDefault()) {
            return;
        }
        Instant until = clock.instant().minus(UNDER_WAY);
        atlas.get().eachPartition("looked at for moves", region -> {
            Instant from = looked.getOrDefault(region, until.minus(TOMBSTONES)).minus(SKEW);
            completeMoves(region, from, until);
            looked.put(region, until);
        });
    }

    private void completeMoves(Partition region, Instant from, Instant until) {
        Instant next = from;
        List<Move> moves;
        do {
            moves = redis.sweeps().moves(region, next, until, RedisRegion.MAX_BATCH);
            complete(region, moves);
            next = moves.isEmpty() ? until : moves.getLast().leftAt().plusMillis(1);
        } while (moves.size() == RedisRegion.MAX_BATCH);
    }

    /** A move that has ended is seen by PostgreSQL's epoch, and by the region that it led to. */
    private void complete(Partition from, List<Move> moves) {
        if (moves.isEmpty()) {
            return;
        }
        Map<String, StoredDriver> rows =
                drivers.findAll(moves.stream().map(Move::id).toList());
        Map<String, List<Move>> byRegion = moves.stream()
                .filter(move -> !hasGoneOn(rows, move))
                .collect(Collectors.groupingBy(move -> move.leaving().region()));
        byRegion.forEach((to, some) -> {
            Map<String, LiveDriver> there = redis.look()
                    .drivers(new Partition(to), some.stream().map(Move::id).toList());
            some.stream()
                    .filter(move -> !there.containsKey(move.id()))
                    .forEach(move -> journeys.goOn(move.id(), from.tag(), move.leaving()));
        });
    }

    private static boolean hasGoneOn(Map<String, StoredDriver> rows, Move move) {
        StoredDriver row = rows.get(move.id());
        return row != null && row.epoch() > move.leaving().epoch();
    }

    /**
     * A driver that had left a region before that was lost, but of which PostgreSQL was told only after a rebuild had read
     * it, is there once more, OFFLINE; a fix would wake it. It goes.
     */
    void dispel(List<Partition> rebuilt) {
        for (Partition region : rebuilt) {
            try {
                String after = "";
                List<String> page;
                do {
                    page = drivers.gone(region.tag(), after, RedisRegion.MAX_BATCH);
                    if (!page.isEmpty()) {
                        after = page.getLast();
                        redis.sweeps().forget(region, Duration.ZERO, page);
                    }
                } while (page.size() == RedisRegion.MAX_BATCH);
            } catch (HotstateException notNow) {
                log.info("{} may have drivers that have left it: {}", region, notNow.getMessage());
            }
        }
    }

    /** Old tombstones go: no fix is so late. */
    void bury() {
        Instant until = clock.instant().minus(TOMBSTONES);
        atlas.get().eachPartition("rid of old tombstones", region -> bury(region, until));
    }

    private void bury(Partition region, Instant until) {
        List<Move> old;
        do {
            old = redis.sweeps().moves(region, Instant.EPOCH, until, RedisRegion.MAX_BATCH);
            if (!old.isEmpty()) {
                redis.sweeps().bury(region, old);
            }
        } while (old.size() == RedisRegion.MAX_BATCH);
    }

    /**
     * Removes all keys of a deleted region in which nobody is: whoever has left it arrives first. False where that is not
     * possible now.
     */
    boolean clear(Partition region) {
        try {
            Instant ever = clock.instant().plus(SKEW);
            completeMoves(region, Instant.EPOCH, ever);
            bury(region, ever);
            looked.remove(region);
            return redis.sweeps().raze(region);
        } catch (HotstateException notNow) {
            log.debug("{} is removed later: {}", region, notNow.getMessage());
            return false;
        }
    }

    /** Drivers of deleted regions go where they are, as they are; BUSY and reserved ones when they are free. */
    void evacuate() {
        for (Atlas.Charted charted : atlas.get().regions()) {
            if (charted.deleted()) {
                evacuate(charted.region().id());
            }
        }
    }

    private void evacuate(String region) {
        String after = "";
        List<StoredDriver> page;
        do {
            page = drivers.page(region, after, RedisRegion.MAX_BATCH);
            for (StoredDriver driver : page) {
                after = driver.id();
                if (driver.status() != Status.BUSY && driver.held() == null) {
                    journeys.sendOut(driver);
                }
            }
        } while (page.size() == RedisRegion.MAX_BATCH);
    }
}
