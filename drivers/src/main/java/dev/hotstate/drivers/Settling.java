package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Redis as PostgreSQL has decided. What cannot be told now, because Redis is away or the driver is on its way to
 * another region, is told by the reconciler.
 */
final class Settling {
    private static final Logger log = LoggerFactory.getLogger(Settling.class);

    private final RedisTruth redis;
    private final WriteBehind behind;
    private final Consumer<DriverChange> changes;

    Settling(RedisTruth redis, WriteBehind behind, Consumer<DriverChange> changes) {
        this.redis = redis;
        this.behind = behind;
        this.changes = changes;
    }

    /** @param alive whether the decision is a sign of life of the driver */
    void settle(StoredDriver driver, boolean alive) {
        settleAll(List.of(driver), alive);
    }

    void settleAll(List<StoredDriver> drivers, boolean alive) {
        Map<Partition, List<StoredDriver>> byRegion = drivers.stream()
                .collect(Collectors.groupingBy(StoredDriver::partition, LinkedHashMap::new, Collectors.toList()));
        byRegion.forEach((region, some) ->
                Chunks.of(some, RedisRegion.MAX_BATCH).forEach(chunk -> settle(region, chunk, alive)));
    }

    private void settle(Partition region, List<StoredDriver> drivers, boolean alive) {
        try {
            List<Settled> settled = redis.settle(
                    region, drivers.stream().map(driver -> truth(driver, alive)).toList());
            for (int i = 0; i < drivers.size(); i++) {
                note(drivers.get(i), settled.get(i));
            }
        } catch (HotstateException notNow) {
            log.debug("{} is told of {} decisions later: {}", region, drivers.size(), notNow.getMessage());
        } catch (IllegalArgumentException unwatched) {
            log.debug("{} is not known here yet: {}", region, unwatched.getMessage());
        }
    }

    private void note(StoredDriver driver, Settled settled) {
        switch (settled) {
            case Settled.Now now -> {
                behind.told(driver.id(), driver.version());
                tell(new DriverChange(driver.id(), now.status(), driver.region()));
            }
            case Settled.Known known -> behind.told(driver.id(), driver.version());
            case Settled.Moved moved -> log.debug("{} is on its way to {}", driver.id(), moved.region());
        }
    }

    /** Tells those who listen of a driver whose status changed. */
    void tell(DriverChange change) {
        changes.accept(change);
    }

    private static Truth truth(StoredDriver driver, boolean alive) {
        return new Truth(
                driver.id(),
                driver.epoch(),
                driver.version(),
                driver.status(),
                driver.chosen(),
                alive,
                driver.since(),
                driver.held(),
                driver.profile());
    }
}
