package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes up what a crash or an outage has cut short between the two stores, and lets go of who is silent for long. */
final class Upkeep {
    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);

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

    /**
     * PostgreSQL and whoever listens hear of drivers that fell silent when nobody was left to tell: of those that Redis has
     * made OFFLINE, and of those that it does not have at all.
     */
    void findSilent(Duration silence) {
        eachPage(after -> drivers.silent(silence, after, RedisRegion.MAX_BATCH), this::findSilent);
    }

    private void findSilent(Partition region, List<StoredDriver> some) {
        Map<String, LiveDriver> live =
                redis.look().drivers(region, some.stream().map(StoredDriver::id).toList());
        for (StoredDriver row : some) {
            LiveDriver driver = live.get(row.id());
            if (driver != null && driver.line().version() < row.version()) {
                settling.settle(row, false);
            } else if (driver == null || driver.line().status() == Status.OFFLINE) {
                behind.add(Behind.silent(row, driver));
                settling.tell(new DriverChange(row.id(), Status.OFFLINE, row.region()));
            }
        }
    }

    /** Redis lets go of drivers that were silent for long; PostgreSQL keeps them. */
    void forget(Duration silence) {
        eachPage(
                after -> drivers.forgettable(silence, after, RedisRegion.MAX_BATCH),
                (region, some) -> drivers.forgotten(redis.sweeps()
                        .forget(
                                region,
                                silence,
                                some.stream().map(StoredDriver::id).toList())));
    }

    /** What cannot be asked now is asked the next time; it keeps nobody else waiting. */
    private static void eachPage(
            Function<String, List<StoredDriver>> pages, BiConsumer<Partition, List<StoredDriver>> step) {
        String after = "";
        List<StoredDriver> page;
        do {
            page = pages.apply(after);
            after = page.isEmpty() ? after : page.getLast().id();
            page.stream()
                    .collect(Collectors.groupingBy(StoredDriver::partition))
                    .forEach((region, some) -> {
                        try {
                            step.accept(region, some);
                        } catch (HotstateException notNow) {
                            log.debug("{} is asked later: {}", region, notNow.getMessage());
                        } catch (IllegalArgumentException unwatched) {
                            log.debug("{} is not known here: {}", region, unwatched.getMessage());
                        }
                    });
        } while (page.size() == RedisRegion.MAX_BATCH);
    }
}
