package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Drivers that are not where their fix is. PostgreSQL knows in which region each is and how often it changed that, its epoch.
 * A move is three steps: the region that it leaves keeps a tombstone with its next epoch and all that is known of it,
 * PostgreSQL is told, the other region lets it in by that epoch. Whoever comes upon a move that was cut short completes it in
 * the same way, and a region that knows an epoch refuses it and earlier ones; so a driver is in one region at a time, and a
 * crash between two steps loses nobody.
 */
final class Journeys {
    private static final int HOPS = 8;
    private static final int AT_ONCE = 16;
    private static final int HELD = 100_000;

    private final RedisFixes fixes;
    private final RedisSide redis;
    private final PostgresDrivers drivers;
    private final Settling settling;
    private final Passes passes;
    private final RegionBook regions;

    /** Those that may not move now: to which region their fixes go, whatever they say. */
    private final Map<String, Partition> held = new LinkedHashMap<>();

    Journeys(RedisSide redis, PostgresDrivers drivers, Settling settling, Passes passes, RegionBook regions) {
        this.fixes = redis.fixes();
        this.redis = redis;
        this.drivers = drivers;
        this.settling = settling;
        this.passes = passes;
        this.regions = regions;
    }

    /** Where a driver was BUSY or reserved when it was last heard of, though outside of that region's shape. */
    Optional<Partition> heldIn(String id) {
        synchronized (held) {
            return Optional.ofNullable(held.get(id));
        }
    }

    /** A fix was taken there: one that is free moves with its next fix. */
    void seen(CellFix fix, Placed placed) {
        boolean stays = placed.reply() instanceof FixReply.Accepted accepted
                && (accepted.status() == Status.BUSY || accepted.reserved());
        synchronized (held) {
            if (!stays && !held.isEmpty()) {
                held.remove(fix.id());
            }
        }
    }

    /** Of fixes whose drivers are not where they say: what came of each; that one fails is not to keep others from theirs. */
    void take(List<CellFix> all, Takings takings) {
        synchronized (held) {
            all.forEach(fix -> held.remove(fix.id()));
        }
        takings.attempt(all, () -> {
            Map<String, StoredDriver> rows = rows(all);
            enterNew(all, rows, takings);
            List<CellFix> others =
                    all.stream().filter(fix -> !takings.isDone(fix)).toList();
            Chunks.of(others, AT_ONCE).forEach(some -> follow(some, rows, takings));
        });
    }

    private void follow(List<CellFix> some, Map<String, StoredDriver> rows, Takings takings) {
        List<Callable<Boolean>> calls = new ArrayList<>();
        some.forEach(fix -> calls.add(() ->
                takings.attempt(List.of(fix), () -> takings.put(fix, follow(fix, rows.get(fix.id()))))));
        Chunks.together(calls);
        if (some.stream().allMatch(fix -> takings.failure(fix).isPresent())) {
            // All others would wait for the same in vain.
            throw takings.failure(some.getFirst()).orElseThrow();
        }
    }

    /** Those that have never moved, and are where PostgreSQL says: many in one round trip, as while there is one region. */
    private void enterNew(List<CellFix> all, Map<String, StoredDriver> rows, Takings takings) {
        Map<Partition, List<CellFix>> fresh = new LinkedHashMap<>();
        for (CellFix fix : all) {
            StoredDriver row = rows.get(fix.id());
            Partition there = regions.atlas().placeOf(fix.cell());
            if (row != null && row.isFresh() && row.partition().equals(there)) {
                fresh.computeIfAbsent(there, region -> new ArrayList<>()).add(fix);
            }
        }
        fresh.forEach((region, some) -> Chunks.of(some, RedisRegion.MAX_BATCH)
                .forEach(chunk -> takings.attempt(chunk, () -> {
                    List<FixReply> replies = fixes.update(region, chunk, true);
                    for (int i = 0; i < chunk.size(); i++) {
                        Placed placed = new Placed(replies.get(i), region.tag());
                        if (!placed.isElsewhere()) {
                            takings.put(chunk.get(i), placed);
                        }
                    }
                })));
    }

    /** Makes a row for each that has none, where it is; one that is nowhere is new where its fix is. */
    private Map<String, StoredDriver> rows(List<CellFix> all) {
        List<String> ids = all.stream().map(CellFix::id).toList();
        Map<String, StoredDriver> rows = drivers.findAll(ids);
        List<CellFix> missing =
                all.stream().filter(fix -> !rows.containsKey(fix.id())).toList();
        if (!missing.isEmpty()) {
            enroll(missing);
            rows.putAll(drivers.findAll(missing.stream().map(CellFix::id).toList()));
        }
        return rows;
    }

    /** One that came while there was but one region may be in it, and its row still on the way. */
    private void enroll(List<CellFix> missing) {
        Map<String, String> fresh = new HashMap<>();
        missing.forEach(
                fix -> fresh.put(fix.id(), regions.atlas().placeOf(fix.cell()).tag()));
        for (List<CellFix> some : Chunks.of(missing, RedisRegion.MAX_BATCH)) {
            find(some.stream().map(CellFix::id).toList()).forEach((id, sighting) -> {
                drivers.enter(id, sighting.region(), sighting.driver().line().epoch());
                fresh.remove(id);
            });
        }
        drivers.enter(fresh);
    }

    /** A driver as a region has it. */
    record Whereabouts(String region, LiveDriver driver) {}

    /** Which of these are in any region, whatever PostgreSQL knows; where two have one, the later epoch counts. */
    Map<String, Whereabouts> find(List<String> ids) {
        List<Partition> all = regions.atlas().partitions();
        List<Map<String, LiveDriver>> seen = redis.look().drivers(all, ids);
        Map<String, Whereabouts> found = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            String region = all.get(i).tag();
            seen.get(i).forEach((id, driver) -> found.merge(id, new Whereabouts(region, driver), Journeys::later));
        }
        return found;
    }

    private static Whereabouts later(Whereabouts one, Whereabouts other) {
        return one.driver().line().epoch() >= other.driver().line().epoch() ? one : other;
    }

    private Placed follow(CellFix fix, @Nullable StoredDriver known) {
        StoredDriver row = known;
        for (int hop = 0; hop < HOPS && row != null; hop++) {
            Optional<Placed> placed = step(fix, row);
            if (placed.isPresent()) {
                return placed.get();
            }
            row = drivers.find(fix.id()).orElse(null);
        }
        throw new HotstateException("driver " + fix.id() + " changes its region just now; its fix was not taken");
    }

    /** One hop on the way; empty where it must be looked at once more. */
    private Optional<Placed> step(CellFix fix, StoredDriver row) {
        if (!regions.atlas().knows(row.region())) {
            meet(row);
            return Optional.empty();
        }
        Partition here = row.partition();
        Partition there = regions.atlas().placeOf(fix.cell());
        if (here.equals(there)) {
            return arrive(fix, row);
        }
        Pass pass = passes.of(there);
        return switch (fixes.leave(here, fix, there.tag())) {
            case Parting.Left left -> complete(fix.id(), here.tag(), left.leaving(), pass, there, fix);
            case Parting.Stays stays -> stay(fix, row, stays.reply());
        };
    }

    /** Another instance has made a region a moment ago; or it is gone for good, and nobody is in it. */
    private void meet(StoredDriver row) {
        regions.refresh();
        if (!regions.atlas().knows(row.region())) {
            drivers.move(row.id(), row.region(), Region.DEFAULT, row.epoch() + 1);
        }
    }

    /** It has not left: its fix was not newer, it is held there, or it is not there at all, though it should be. */
    private Optional<Placed> stay(CellFix fix, StoredDriver row, FixReply reply) {
        if (reply instanceof FixReply.Absent) {
            enter(row, null);
            return Optional.empty();
        }
        if (reply instanceof FixReply.Accepted) {
            hold(fix.id(), row.partition());
        }
        return Optional.of(new Placed(reply, row.region()));
    }

    /** It is where PostgreSQL says, or should be. */
    private Optional<Placed> arrive(CellFix fix, StoredDriver row) {
        FixReply updated = fixes.update(row.partition(), List.of(fix), false).getFirst();
        if (updated instanceof FixReply.Absent) {
            return enter(row, fix);
        }
        if (updated instanceof FixReply.Moved) {
            completeFrom(row.partition(), fix);
            return Optional.empty();
        }
        return Optional.of(new Placed(updated, row.region()));
    }

    /** PostgreSQL says that it is there, but it is not: its move was cut short, it is new, or it was forgotten. */
    private Optional<Placed> enter(StoredDriver row, @Nullable CellFix fix) {
        Partition region = row.partition();
        Pass pass = passes.of(region);
        Leaving coming = tombstone(row).orElseGet(() -> Leaving.fromNowhere(row.region(), row.epoch()));
        return switch (fixes.enter(region, pass, row.id(), coming, fix)) {
            case Arrival.Entered entered -> {
                if (coming.line().isEmpty() && row.version() > 0) {
                    settling.settle(row, false);
                }
                yield fix == null ? Optional.empty() : Optional.of(new Placed(entered.reply(), row.region()));
            }
            case Arrival.LeftAgain again -> goOn(row.id(), row.region(), again.leaving());
            case Arrival.Refused refused -> Optional.of(new Placed(refused.reply(), row.region()));
            case Arrival.Here here -> Optional.empty();
        };
    }

    /** What the region that it left last keeps of it, if it left for this one by this epoch. */
    private Optional<Leaving> tombstone(StoredDriver row) {
        String from = row.cameFrom();
        if (from == null || !regions.atlas().knows(from)) {
            return Optional.empty();
        }
        return redis.tombstones()
                .find(new Partition(from), row.id())
                .filter(leaving ->
                        leaving.epoch() == row.epoch() && leaving.region().equals(row.region()));
    }

    /** A tombstone lies where PostgreSQL thinks the driver is. */
    private void completeFrom(Partition left, CellFix fix) {
        redis.tombstones().find(left, fix.id()).ifPresent(leaving -> goOn(fix.id(), left.tag(), leaving));
    }

    /** Completes somebody else's move. */
    Optional<Placed> goOn(String id, String from, Leaving leaving) {
        return complete(id, from, leaving, passes.of(new Partition(leaving.region())), null, null);
    }

    /** The rest of a move once the driver has left: PostgreSQL, then the region it goes to. */
    private Optional<Placed> complete(
            String id, String from, Leaving leaving, Pass pass, @Nullable Partition wished, @Nullable CellFix fix) {
        Partition to = new Partition(leaving.region());
        boolean asWished = to.equals(wished);
        drivers.move(id, from, to.tag(), leaving.epoch());
        Arrival arrival = fixes.enter(to, asWished ? pass : passes.of(to), id, leaving, asWished ? fix : null);
        return arrival instanceof Arrival.Entered entered && asWished && fix != null
                ? Optional.of(new Placed(entered.reply(), to.tag()))
                : Optional.empty();
    }

    /** Sends a free driver from a region that was deleted to where it was last; nothing is heard of it by that. */
    void sendOut(StoredDriver driver) {
        StoredDriver.LastFix last = driver.last();
        Partition to = last == null ? Atlas.DEFAULT : regions.atlas().placeOf(last.cell());
        Pass pass = passes.of(to);
        switch (fixes.sendOut(driver.partition(), driver.id(), to.tag())) {
            case Parting.Left left -> complete(driver.id(), driver.region(), left.leaving(), pass, null, null);
            case Parting.Stays stays -> {
                if (stays.reply() instanceof FixReply.Absent) {
                    enter(driver, null);
                }
            }
        }
    }

    private void hold(String id, Partition region) {
        synchronized (held) {
            if (held.size() >= HELD) {
                held.remove(held.keySet().iterator().next());
            }
            held.put(id, region);
        }
    }
}
