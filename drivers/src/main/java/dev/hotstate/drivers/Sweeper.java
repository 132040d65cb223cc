package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import dev.hotstate.drivers.RedisSweeps.Lapse;
import dev.hotstate.drivers.RedisSweeps.Silent;
import dev.hotstate.drivers.RedisSweeps.Swept;
import dev.hotstate.store.StoreException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What ends by itself: heartbeats and reservations. One instance sweeps a region, by a lease that others take up when it
 * ends; a script decides each driver once, and what an instance has found and neither told nor written when it dies is found
 * again ({@link Upkeep}). Reservations end in PostgreSQL, of which each instance takes others.
 */
final class Sweeper {
    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);

    private final RedisSide redis;
    private final PostgresDrivers drivers;
    private final PostgresReservations reservations;
    private final Settling settling;
    private final WriteBehind behind;
    private final Supplier<Atlas> atlas;

    Sweeper(RedisSide redis, PostgresSide postgres, Settling settling, WriteBehind behind, Supplier<Atlas> atlas) {
        this.redis = redis;
        this.drivers = postgres.drivers();
        this.reservations = postgres.reservations();
        this.settling = settling;
        this.behind = behind;
        this.atlas = atlas;
    }

    /** Makes OFFLINE whoever is silent. */
    void sweep() {
        atlas.get().eachPartition("swept", this::sweep);
    }

    /** Ends the reservations whose time is over: in PostgreSQL, then in Redis; then those that only Redis knows. */
    void lapse() {
        List<StoredDriver> lapsed;
        do {
            lapsed = reservations.lapse(RedisRegion.MAX_BATCH);
            settling.settleAll(lapsed, false);
        } while (lapsed.size() == RedisRegion.MAX_BATCH);
        atlas.get().eachPartition("asked for lapsed reservations", this::lapse);
    }

    private void sweep(Partition region) {
        Swept swept;
        do {
            swept = redis.sweeps().sweep(region, RedisRegion.MAX_BATCH);
            List<String> ghosts = ghosts(region, swept.silent());
            for (Silent driver : swept.silent()) {
                if (!ghosts.contains(driver.id())) {
                    behind.add(Behind.silent(region.tag(), driver, swept.since()));
                    settling.tell(new DriverChange(driver.id(), Status.OFFLINE, region.tag()));
                }
            }
            if (!ghosts.isEmpty()) {
                redis.sweeps().forget(region, Duration.ZERO, ghosts);
            }
        } while (swept.ended() == RedisRegion.MAX_BATCH);
    }

    /**
     * Whom PostgreSQL has elsewhere: entered here by an instance that had not heard of other regions yet. That one of them
     * is silent here says nothing of the driver, and must not stand in the way of what is said of it where it is.
     */
    private List<String> ghosts(Partition region, List<Silent> silent) {
        if (silent.isEmpty() || atlas.get().hasOnlyDefault()) {
            return List.of();
        }
        try {
            return drivers.findAll(silent.stream().map(Silent::id).toList()).values().stream()
                    .filter(driver -> !driver.region().equals(region.tag()))
                    .map(StoredDriver::id)
                    .toList();
        } catch (StoreException unknown) {
            log.debug("nobody who is silent in {} is looked for elsewhere: {}", region, unknown.getMessage());
            return List.of();
        }
    }

    private void lapse(Partition region) {
        List<Lapse> ended = redis.sweeps().lapsed(region, RedisRegion.MAX_BATCH);
        if (ended.isEmpty()) {
            return;
        }
        Set<String> known = new HashSet<>(reservations.known(
                ended.stream().map(lapse -> lapse.held().reservation()).toList()));
        Map<String, StoredDriver> rows =
                drivers.findAll(ended.stream().map(Lapse::driver).toList());
        for (Lapse lapse : ended) {
            StoredDriver row = rows.get(lapse.driver());
            if (!known.contains(lapse.held().reservation()) || row == null) {
                redis.takes().release(region, lapse.driver(), lapse.held().fence());
            } else if (row.held() == null
                    || !row.held().reservation().equals(lapse.held().reservation())) {
                settling.settle(row, false);
            }
        }
    }
}
