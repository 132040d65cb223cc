package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.drivers.RedisSweeps.Move;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes up what a crash or an outage has cut short, and lets go of what nobody needs any more. */
final class Upkeep {
    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
    private static final int AT_ONCE = 500;

    /** A move that is younger may be under way. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(2);

    private static final Duration TOMBSTONES = Duration.ofHours(1);

    private final PostgresTruth truth;
    private final PostgresDrivers drivers;
    private final RedisSweeps sweeps;
    private final RedisLook look;
    private final Journeys journeys;
    private final Settling settling;
    private final WriteBehind behind;
    private final Supplier<Atlas> atlas;
    private final InstantSource clock;

    /** By region, up to when its moves were looked at by this instance. */
    private final Map<Partition, Instant> looked = new ConcurrentHashMap<>();

    Upkeep(
            PostgresTruth truth,
            PostgresDrivers drivers,
            RedisSweeps sweeps,
            RedisLook look,
            Journeys journeys,
            Settling settling,
            WriteBehind behind,
            Supplier<Atlas> atlas,
            InstantSource clock) {
        this.truth = truth;
        this.drivers = drivers;
        this.sweeps = sweeps;
        this.look = look;
        this.journeys = journeys;
        this.settling = settling;
        this.behind = behind;
        this.atlas = atlas;
        this.clock = clock;
    }

    /** Tells Redis of decisions that it has not heard of. */
    void reconcile() {
        List<StoredDriver> untold;
        do {
            untold = truth.untold(AT_ONCE);
            settling.settleAll(untold, false);
        } while (untold.size() == AT_ONCE);
    }

    /** Completes moves that were cut short. */
    void completeMoves() {
        if (atlas.get().hasOnlyDefault()) {
            return;
        }
        Instant until = clock.instant().minus(UNDER_WAY);
        for (Partition region : atlas.get().partitions()) {
            try {
                completeMoves(region, until);
            } catch (HotstateException notNow) {
                log.debug("moves from {} are looked at later: {}", region, notNow.getMessage());
            }
        }
    }

    private void completeMoves(Partition region, Instant until) {
        List<Move> moves;
        do {
            Instant from = looked.getOrDefault(region, until.minus(TOMBSTONES));
            moves = sweeps.moves(region, from, until, AT_ONCE);
            complete(region, moves);
            looked.put(
                    region,
                    moves.size() < AT_ONCE ? until : moves.getLast().leftAt().plusMillis(1));
        } while (moves.size() == AT_ONCE);
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
            Map<String, LiveDriver> there =
                    look.drivers(new Partition(to), some.stream().map(Move::id).toList());
            some.stream()
                    .filter(move -> !there.containsKey(move.id()))
                    .forEach(move -> journeys.goOn(move.id(), from.tag(), move.leaving()));
        });
    }

    private static boolean hasGoneOn(Map<String, StoredDriver> rows, Move move) {
        StoredDriver row = rows.get(move.id());
        return row != null && row.epoch() > move.leaving().epoch();
    }

    /** Old tombstones go: no fix is so late. */
    void bury() {
        Instant until = clock.instant().minus(TOMBSTONES);
        for (Partition region : atlas.get().partitions()) {
            List<Move> old = sweeps.moves(region, Instant.EPOCH, until, AT_ONCE);
            while (!old.isEmpty()) {
                sweeps.bury(region, old);
                old = old.size() < AT_ONCE ? List.of() : sweeps.moves(region, Instant.EPOCH, until, AT_ONCE);
            }
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
            page = drivers.page(region, after, AT_ONCE);
            for (StoredDriver driver : page) {
                after = driver.id();
                if (driver.status() != Status.BUSY && driver.held() == null) {
                    journeys.sendOut(driver);
                }
            }
        } while (page.size() == AT_ONCE);
    }

    /** PostgreSQL hears of drivers that fell silent when nobody was left to tell it. */
    void findSilent(Duration silence) {
        List<StoredDriver> silent = drivers.silent(silence, AT_ONCE);
        Map<Partition, List<StoredDriver>> byRegion =
                silent.stream().collect(Collectors.groupingBy(StoredDriver::partition));
        byRegion.forEach((region, some) -> {
            Map<String, LiveDriver> live =
                    look.drivers(region, some.stream().map(StoredDriver::id).toList());
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
            silent = drivers.forgettable(silence, AT_ONCE);
            List<String> forgotten = new ArrayList<>();
            silent.stream()
                    .collect(Collectors.groupingBy(StoredDriver::partition))
                    .forEach((region, some) -> forgotten.addAll(sweeps.forget(
                            region, silence, some.stream().map(StoredDriver::id).toList())));
            drivers.forgotten(forgotten);
            if (forgotten.isEmpty()) {
                return;
            }
        } while (silent.size() == AT_ONCE);
    }
}
