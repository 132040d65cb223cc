package dev.hotstate.drivers;

import static dev.hotstate.drivers.RegionBench.HEARTBEAT;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A region as the rules say, in plain Java: one driver at a time, nothing kept that follows from something else. */
final class RegionOracle {
    /** A driver in this region; {@code state} as in {@link DriverLine}. */
    static final class Driver {
        char state = 'O';

        @Nullable
        Instant at;

        Instant since = Instant.EPOCH;
        long epoch = 1;
        long version;

        @Nullable
        Long seq;

        @Nullable
        Instant seen;

        @Nullable
        Long cell;

        Profile profile = RegionBench.PLAIN;

        @Nullable
        Held held;
        /** The end of the heartbeat that is counted on. */
        @Nullable
        Instant ends;

        boolean isFound() {
            return state == 'A' && cell != null;
        }

        Driver copy() {
            Driver copy = new Driver();
            copy.state = state;
            copy.at = at;
            copy.since = since;
            copy.epoch = epoch;
            copy.version = version;
            copy.seq = seq;
            copy.seen = seen;
            copy.cell = cell;
            copy.profile = profile;
            return copy;
        }
    }

    /** Where a driver went, and as what. */
    record Stone(String region, long epoch, Driver left) {}

    final Map<String, Driver> drivers = new TreeMap<>();
    final Map<String, Stone> stones = new TreeMap<>();
    long updates;

    FixReply update(CellFix fix, boolean enter, Instant now) {
        Driver driver = drivers.get(fix.id());
        if (driver == null) {
            Stone stone = stones.get(fix.id());
            if (stone != null) {
                return new FixReply.Moved(stone.region(), stone.epoch());
            }
            if (!enter) {
                return new FixReply.Absent();
            }
            if (isFuture(fix, now)) {
                return FixReply.Future.at(now);
            }
            driver = new Driver();
            drivers.put(fix.id(), driver);
        }
        return take(driver, fix, now);
    }

    Settled settle(Truth truth, Instant now) {
        Driver driver = drivers.get(truth.id());
        if (driver == null) {
            Stone stone = stones.get(truth.id());
            if (stone != null) {
                return new Settled.Moved(stone.region(), stone.epoch());
            }
            driver = new Driver();
            driver.version = -1;
            driver.epoch = truth.epoch();
            driver.since = truth.since();
            drivers.put(truth.id(), driver);
        }
        if (truth.version() <= driver.version) {
            return new Settled.Known();
        }
        decide(driver, truth, now);
        driver.version = truth.version();
        driver.epoch = Math.max(driver.epoch, truth.epoch());
        driver.profile = truth.profile();
        driver.held = truth.held();
        return new Settled.Now(DriverLine.status(driver.state), driver.state == 'R');
    }

    private static void decide(Driver driver, Truth truth, Instant now) {
        char was = driver.state;
        boolean wasAvailable = was == 'A' || was == 'R';
        Instant online = driver.ends;
        Instant lastSeen = driver.seen;
        if (truth.alive()) {
            driver.seen = now;
        }
        if (truth.held() != null) {
            driver.state = 'R';
            driver.since = wasAvailable ? driver.since : truth.since();
            driver.ends = truth.alive() ? now.plus(HEARTBEAT) : online;
        } else if (truth.status() == Status.BUSY || truth.chosen()) {
            driver.state = truth.chosen() ? 'C' : 'B';
            driver.since = driver.state == was ? driver.since : truth.since();
            driver.ends = null;
        } else if (truth.alive()) {
            driver.state = 'A';
            driver.since = wasAvailable ? driver.since : truth.since();
            driver.ends = now.plus(HEARTBEAT);
        } else if (was == 'R' && (online == null || !online.isAfter(now))) {
            driver.state = 'O';
            driver.since = now;
            driver.ends = null;
        } else if (wasAvailable) {
            driver.state = 'A';
        } else if (was == 'B' || was == 'C') {
            boolean lives = lastSeen != null && lastSeen.plus(HEARTBEAT).isAfter(now);
            driver.state = lives ? 'A' : 'O';
            driver.since = truth.since();
            driver.ends = lives ? lastSeen.plus(HEARTBEAT) : null;
        }
    }

    /** Who is OFFLINE by it; the longest silent first. */
    List<String> sweep(Instant now, int max) {
        List<String> ended = drivers.keySet().stream()
                .filter(id -> ends(id) != null && !ends(id).isAfter(now))
                .sorted(Comparator.comparing(this::ends).thenComparing(Comparator.naturalOrder()))
                .limit(max)
                .toList();
        List<String> offline = new ArrayList<>();
        for (String id : ended) {
            Driver driver = drivers.get(id);
            driver.ends = null;
            if (driver.state == 'A') {
                driver.state = 'O';
                driver.since = now;
                offline.add(id);
            }
        }
        return offline;
    }

    boolean isEligible(String id, Instant now) {
        Driver driver = drivers.get(id);
        return driver != null && driver.isFound() && driver.ends.isAfter(now);
    }

    void take(String id, Held held) {
        drivers.get(id).state = 'R';
        drivers.get(id).held = held;
    }

    boolean release(String id, String fence, Instant now) {
        Driver driver = drivers.get(id);
        if (driver == null || driver.held == null || !driver.held.fence().equals(fence)) {
            return false;
        }
        driver.held = null;
        if (driver.ends != null && driver.ends.isAfter(now)) {
            driver.state = 'A';
        } else {
            driver.state = 'O';
            driver.since = now;
            driver.ends = null;
        }
        return true;
    }

    List<String> forget(Duration silent, List<String> ids, Instant now) {
        for (String id : ids) {
            Driver driver = drivers.get(id);
            if (driver != null && driver.state == 'O') {
                Instant heard = driver.seen == null ? driver.since : driver.seen;
                if (!heard.isAfter(now.minus(silent))) {
                    drivers.remove(id);
                }
            }
        }
        return ids.stream().filter(id -> !drivers.containsKey(id)).toList();
    }

    /** The tombstone where it has left, or the answer to the fix. */
    Object leave(CellFix fix, String to, Instant now) {
        Driver driver = drivers.get(fix.id());
        if (driver == null) {
            Stone stone = stones.get(fix.id());
            return stone == null ? new FixReply.Absent() : stone;
        }
        if (isFuture(fix, now)) {
            return FixReply.Future.at(now);
        }
        if (!isNewer(driver, fix)) {
            return new FixReply.Ignored(DriverLine.status(driver.state));
        }
        if (driver.state == 'B' || driver.state == 'R') {
            return take(driver, fix, now);
        }
        Stone stone = new Stone(to, driver.epoch + 1, driver.copy());
        drivers.remove(fix.id());
        stones.put(fix.id(), stone);
        return stone;
    }

    /** The tombstone where it has left again, its epoch where it is here, or the answer to the fix. */
    Object enter(String id, Stone coming, @Nullable CellFix fix, Instant now) {
        Stone stone = stones.get(id);
        if (stone != null && stone.epoch() >= coming.epoch()) {
            return stone;
        }
        Driver here = drivers.get(id);
        if (here != null && (here.epoch > coming.epoch() || here.epoch == coming.epoch() && here.at != null)) {
            return here.epoch;
        }
        Driver driver = coming.left().copy();
        driver.epoch = coming.epoch();
        if (here != null && here.version >= driver.version) {
            driver.state = here.state;
            driver.since = here.since;
            driver.version = here.version;
            driver.profile = here.profile;
            driver.held = here.held;
            if (here.seen != null && (driver.seen == null || here.seen.isAfter(driver.seen))) {
                driver.seen = here.seen;
            }
        }
        if (driver.state == 'A' || driver.state == 'R') {
            driver.ends = driver.seen == null ? Instant.EPOCH.plus(HEARTBEAT) : driver.seen.plus(HEARTBEAT);
        }
        drivers.put(id, driver);
        stones.remove(id);
        return fix == null ? new FixReply.Ignored(DriverLine.status(driver.state)) : take(driver, fix, now);
    }

    private FixReply take(Driver driver, CellFix fix, Instant now) {
        if (isFuture(fix, now)) {
            return FixReply.Future.at(now);
        }
        if (!isNewer(driver, fix)) {
            return new FixReply.Ignored(DriverLine.status(driver.state));
        }
        if (fix.at() != null) {
            driver.at = fix.at();
        } else {
            Instant after = driver.at == null ? now : driver.at.plus(1, ChronoUnit.MICROS);
            driver.at = after.isAfter(now) ? after : now;
        }
        boolean back = driver.state == 'O';
        driver.seq = fix.seq() == null ? driver.seq : fix.seq();
        driver.cell = fix.cell();
        driver.seen = now;
        if (back) {
            driver.state = 'A';
            driver.since = now;
        }
        if (driver.state == 'A' || driver.state == 'R') {
            driver.ends = now.plus(HEARTBEAT);
        }
        updates++;
        return new FixReply.Accepted(
                DriverLine.status(driver.state),
                driver.epoch,
                driver.version,
                driver.at,
                now,
                driver.since,
                driver.state == 'R',
                back);
    }

    private static boolean isNewer(Driver driver, CellFix fix) {
        if (fix.seq() != null && driver.seq != null) {
            return fix.seq() > driver.seq;
        }
        return fix.at() == null || driver.at == null || fix.at().isAfter(driver.at);
    }

    private static boolean isFuture(CellFix fix, Instant now) {
        return fix.at() != null && fix.at().isAfter(now.plusSeconds(60));
    }

    private @Nullable Instant ends(String id) {
        return Objects.requireNonNull(drivers.get(id)).ends;
    }

    /** What Redis must hold, name by name, in the texts that it holds. */
    Map<String, Map<String, String>> dump(List<String> tags) {
        Map<String, Map<String, String>> dump = new TreeMap<>();
        List.of("geo", "status", "online", "fix", "profile", "reserved", "leases", "moved")
                .forEach(name -> dump.put(name, new TreeMap<>()));
        tags.forEach(tag -> dump.put("tagged:" + tag, new TreeMap<>()));
        drivers.forEach((id, driver) -> dump(dump, id, driver));
        stones.forEach((id, stone) -> dump.get("moved").put(id, stone.region() + ' ' + stone.epoch()));
        dump.put("counts", counts());
        return dump;
    }

    private static void dump(Map<String, Map<String, String>> dump, String id, Driver driver) {
        if (driver.isFound()) {
            dump.get("geo").put(id, driver.cell.toString());
            driver.profile.tags().forEach(tag -> dump.get("tagged:" + tag).put(id, driver.cell.toString()));
        }
        dump.get("status").put(id, DriverLine.status(driver.state).name());
        if (driver.ends != null) {
            dump.get("online").put(id, Long.toString(driver.ends.toEpochMilli()));
        }
        boolean tagged = !driver.profile.tags().isEmpty();
        dump.get("fix")
                .put(
                        id,
                        new DriverLine(
                                        driver.state,
                                        driver.at,
                                        driver.since,
                                        driver.epoch,
                                        driver.version,
                                        driver.seq,
                                        driver.seen,
                                        driver.cell,
                                        null,
                                        null)
                                + (tagged ? "t" : "-"));
        if (tagged || driver.profile.rating() != null) {
            String rating = driver.profile.rating() == null
                    ? "-"
                    : driver.profile.rating().toString();
            dump.get("profile").put(id, (rating + ' ' + String.join(",", driver.profile.tags())).strip());
        }
        if (driver.held != null) {
            String until = Long.toString(driver.held.until().toEpochMilli());
            dump.get("reserved").put(id, driver.held.reservation() + ' ' + driver.held.fence() + ' ' + until);
            dump.get("leases").put(id, until);
        }
    }

    private Map<String, String> counts() {
        Map<String, Long> counts = new HashMap<>();
        counts.put("updates", updates);
        drivers.values().forEach(driver -> {
            counts.merge(DriverLine.status(driver.state).name().toLowerCase(Locale.ROOT), 1L, Long::sum);
            counts.merge("reserved", driver.state == 'R' ? 1L : 0L, Long::sum);
        });
        Map<String, String> texts = new TreeMap<>();
        List.of("available", "busy", "offline", "reserved", "updates")
                .forEach(name -> texts.put(name, Long.toString(counts.getOrDefault(name, 0L))));
        return texts;
    }
}
