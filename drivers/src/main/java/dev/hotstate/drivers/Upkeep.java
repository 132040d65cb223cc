package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Takes up what a crash or an outage has cut short between the two stores, and lets go of who is silent for long. */
final class Upkeep {

    private final RedisSide redis;
    private final PostgresDrivers drivers;
    private final PostgresTruth truth;
    private final Settling settling;
    private final WriteBehind behind;

    Upkeep(RedisSide redis, PostgresSide postgres, Settling settling, WriteBehind behind) {
        this.redis = redis;
        this.drivers = postgres.drivers();
        this.truth = postgres.truth();
        this.settling = settling;
        this.behind = behind;
    }

    /** Tells Redis of decisions that it has not heard of. */
    void reconcile() {
        List<StoredDriver> untold;
        do {
            untold = truth.untold(RedisRegion.MAX_BATCH);
            settling.settleAll(untold, false);
        } while (untold.size() == RedisRegion.MAX_BATCH);
    }

    /** PostgreSQL hears of drivers that fell silent when nobody was left to tell it. */
    void findSilent(Duration silence) {
        List<StoredDriver> silent = drivers.silent(silence, RedisRegion.MAX_BATCH);
        Map<Partition, List<StoredDriver>> byRegion =
                silent.stream().collect(Collectors.groupingBy(StoredDriver::partition));
        byRegion.forEach((region, some) -> {
            Map<String, LiveDriver> live = redis.look()
                    .drivers(region, some.stream().map(StoredDriver::id).toList());
            some.forEach(row -> {
                LiveDriver driver = live.get(row.id());
                if (driver != null && driver.line().version() < row.version()) {
                    settling.settle(row, false);
                } else if (driver != null && driver.line().status() == Status.OFFLINE) {
                    behind.add(Behind.seen(row.region(), driver));
                }
            });
        });
    }

    /** Redis lets go of drivers that were silent for long; PostgreSQL keeps them. */
    void forget(Duration silence) {
        List<StoredDriver> silent;
        do {
            silent = drivers.forgettable(silence, RedisRegion.MAX_BATCH);
            List<String> forgotten = new ArrayList<>();
            silent.stream()
                    .collect(Collectors.groupingBy(StoredDriver::partition))
                    .forEach((region, some) -> forgotten.addAll(redis.sweeps()
                            .forget(
                                    region,
                                    silence,
                                    some.stream().map(StoredDriver::id).toList())));
            drivers.forgotten(forgotten);
            if (forgotten.isEmpty()) {
                return;
            }
        } while (silent.size() == RedisRegion.MAX_BATCH);
    }
}
