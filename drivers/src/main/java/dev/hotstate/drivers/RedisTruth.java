package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes Redis as PostgreSQL has decided. What Redis knows already, it is told again without harm. */
final class RedisTruth {
    private static final String NO_FIX = "0";

    static final Script<Reply> SETTLE =
            RedisRegion.script("settle", Function.<Reply>identity()).repeatable();
    static final Script<Long> REVIVE =
            RedisRegion.script("revive", reply -> reply.number(0)).repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Duration heartbeat;

    RedisTruth(Redis redis, Passes passes, Duration heartbeat) {
        this.redis = redis;
        this.passes = passes;
        this.heartbeat = heartbeat;
    }

    /** Up to {@value RedisRegion#MAX_BATCH} drivers, each once; answers in their order. */
    List<Settled> settle(Partition region, List<Truth> truths) {
        RedisRegion.requireBatch(truths.stream().map(Truth::id).toList());
        List<String> args = RedisRegion.args(redis, passes.of(region));
        args.add(Long.toString(heartbeat.toMillis()));
        truths.forEach(truth -> add(args, truth));
        return settled(SETTLE.run(redis, RedisRegion.keys(region), args));
    }

    /** Brings a page of up to {@value RedisRegion#MAX_BATCH} drivers back, for a rebuild. */
    void revive(Partition region, Pass pass, List<StoredDriver> drivers) {
        RedisRegion.requireBatch(drivers.stream().map(StoredDriver::id).toList());
        List<String> args = RedisRegion.args(redis, pass);
        drivers.forEach(driver -> add(args, driver));
        REVIVE.run(redis, RedisRegion.keys(region), args);
    }

    private static void add(List<String> args, Truth truth) {
        args.add(truth.id());
        args.add(Long.toString(truth.epoch()));
        args.add(Long.toString(truth.version()));
        args.add(state(truth.status(), truth.chosen()));
        args.add(Long.toString(truth.since().toEpochMilli()));
        args.add(truth.alive() ? "1" : "0");
        add(args, truth.held(), truth.profile());
    }

    private static void add(List<String> args, StoredDriver driver) {
        args.add(driver.id());
        args.add(state(driver.status(), driver.chosen()));
        args.add(line(driver));
        add(args, driver.held(), driver.profile());
    }

    private static void add(List<String> args, @Nullable Held held, Profile profile) {
        args.add(held == null ? "" : held.reservation());
        args.add(held == null ? "" : held.fence());
        args.add(held == null ? "" : Long.toString(held.until().toEpochMilli()));
        args.add(DriverLine.text(profile.rating()));
        args.add(String.join(",", profile.tags()));
    }

    /** Whether one that nobody has decided about is AVAILABLE or OFFLINE, its heartbeat tells. */
    private static String state(Status status, boolean chosen) {
        return switch (status) {
            case BUSY -> "B";
            case OFFLINE -> chosen ? "C" : "F";
            case AVAILABLE -> "F";
        };
    }

    /** As {@code fix.lua} has it, but for the state. */
    private static String line(StoredDriver driver) {
        StoredDriver.LastFix last = driver.last();
        Instant seenAt = driver.seenAt();
        String kept = String.join(
                " ",
                DriverLine.micros(last == null ? Instant.EPOCH : last.at()),
                Long.toString(driver.since().toEpochMilli()),
                Long.toString(driver.epoch()),
                Long.toString(driver.version()));
        String place = String.join(
                " ",
                DriverLine.text(last == null ? null : last.seq()),
                seenAt == null ? NO_FIX : Long.toString(seenAt.toEpochMilli()),
                DriverLine.text(last == null ? null : (Long) last.cell()),
                last == null ? DriverLine.motion(null, null) : DriverLine.motion(last.heading(), last.speed()));
        return kept + '|' + place;
    }

    private static List<Settled> settled(Reply reply) {
        String letters = reply.text(0);
        Map<Integer, String> notes = new HashMap<>();
        List<String> parts = reply.list(1);
        for (int i = 0; i < parts.size(); i += 2) {
            notes.put(Integer.parseInt(parts.get(i)), parts.get(i + 1));
        }
        List<Settled> settled = new ArrayList<>(letters.length());
        for (int i = 0; i < letters.length(); i++) {
            settled.add(settled(letters.charAt(i), notes.getOrDefault(i, "")));
        }
        return settled;
    }

    private static Settled settled(char letter, String note) {
        return switch (letter) {
            case '=' -> new Settled.Known();
            case 'M' -> {
                int space = note.indexOf(' ');
                yield new Settled.Moved(note.substring(0, space), Long.parseLong(note.substring(space + 1)));
            }
            default -> new Settled.Now(DriverLine.status(letter), letter == 'R');
        };
    }
}
