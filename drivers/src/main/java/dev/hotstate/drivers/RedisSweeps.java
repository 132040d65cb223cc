package dev.hotstate.drivers;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What has run out in a region: heartbeats, leases, tombstones, drivers that nobody hears of. */
final class RedisSweeps {
    /** Who dies while it sweeps a region is followed by another one after so long. */
    static final Duration LEASE = Duration.ofSeconds(5);

    static final Script<Swept> SWEEP = Script.of(RedisSweeps.class, "sweep", sweepKeys(), RedisSweeps::swept);
    static final Script<List<Lapse>> LAPSED =
            Script.of(RedisSweeps.class, "lapsed", List.of("incarnation", "reserved", "leases"), RedisSweeps::lapsed);
    static final Script<List<Move>> MOVES =
            Script.of(RedisSweeps.class, "moves", List.of("incarnation", "moved", "moves"), RedisSweeps::moves);
    static final Script<Long> BURY = Script.of(
                    RedisSweeps.class, "bury", List.of("incarnation", "moved", "moves"), reply -> reply.number(0))
            .repeatable();
    static final Script<List<String>> FORGET =
            RedisRegion.script("forget", reply -> reply.list(0)).repeatable();
    static final Script<Boolean> RAZE =
            RedisRegion.script("raze", reply -> reply.word().equals("RAZED")).repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Duration heartbeat;

    /** Whose leases these are. */
    private final String instance = UUID.randomUUID().toString();

    RedisSweeps(Redis redis, Passes passes, Duration heartbeat) {
        this.redis = redis;
        this.passes = passes;
        this.heartbeat = heartbeat;
    }

    /**
     * What a sweep did.
     *
     * @param since when they became OFFLINE
     * @param ended how many heartbeats had ended; as many as were asked for: there may be more
     */
    record Swept(Instant since, long ended, List<Silent> silent) {}

    /** A driver that is OFFLINE by silence now, and the version of what was decided of it. */
    record Silent(String id, long version) {}

    /** A driver whose reservation's lease has ended. */
    record Lapse(String driver, Held held) {}

    /** A driver that has left. */
    record Move(String id, Instant leftAt, Leaving leaving) {}

    /**
     * Makes OFFLINE up to so many whose heartbeat has ended; nobody, for a while after we were silent ourselves, and while
     * another instance has the lease of this region.
     */
    Swept sweep(Partition region, int max) {
        List<String> args = RedisRegion.args(redis, passes.of(region));
        args.add(Long.toString(heartbeat.toMillis()));
        args.add(Integer.toString(max));
        args.add(instance);
        args.add(Long.toString(LEASE.toMillis()));
        List<Key> keys = RedisRegion.keys(region);
        keys.add(DriverKeys.SWEEPER.of(region));
        return SWEEP.run(redis, keys, args);
    }

    /** Those that ended first. */
    List<Lapse> lapsed(Partition region, int max) {
        List<String> args = RedisRegion.args(redis, passes.of(region));
        args.add(Integer.toString(max));
        return LAPSED.run(
                redis,
                List.of(CoreKeys.INCARNATION.of(region), DriverKeys.RESERVED.of(region), DriverKeys.LEASES.of(region)),
                args);
    }

    /** Those who left in a time, its end left out, the first ones first. */
    List<Move> moves(Partition region, Instant from, Instant until, int max) {
        List<String> args = RedisRegion.args(redis, passes.of(region));
        args.add(Long.toString(from.toEpochMilli()));
        args.add(Long.toString(until.toEpochMilli()));
        args.add(Integer.toString(max));
        return MOVES.run(redis, moveKeys(region), args);
    }

    /** Removes tombstones of drivers that are known to have arrived, but for those who have left again since. */
    long bury(Partition region, List<Move> moves) {
        RedisRegion.requireBatch(moves.stream().map(Move::id).toList());
        List<String> args = RedisRegion.args(redis, passes.of(region));
        moves.forEach(move -> {
            args.add(move.id());
            args.add(Long.toString(move.leaving().epoch()));
        });
        return BURY.run(redis, moveKeys(region), args);
    }

    /**
     * Forgets drivers that are OFFLINE by silence and were not heard of for so long. Answers which of them Redis does not
     * know any more.
     */
    List<String> forget(Partition region, Duration silent, List<String> ids) {
        RedisRegion.requireBatch(ids);
        List<String> args = RedisRegion.args(redis, passes.of(region));
        args.add(Long.toString(silent.toMillis()));
        args.addAll(ids);
        return FORGET.run(redis, RedisRegion.keys(region), args);
    }

    /** Removes what is left of a deleted region; false where somebody is in it, or has left it and may be on the way. */
    boolean raze(Partition region) {
        return RAZE.run(redis, RedisRegion.keys(region), RedisRegion.args(redis, passes.of(region)));
    }

    private static List<String> sweepKeys() {
        List<String> keys = new ArrayList<>(RedisRegion.KEYS);
        keys.add("sweeper");
        return keys;
    }

    private static List<Key> moveKeys(Partition region) {
        return List.of(CoreKeys.INCARNATION.of(region), DriverKeys.MOVED.of(region), DriverKeys.MOVES.of(region));
    }

    private static Swept swept(Reply reply) {
        if (!reply.word().equals("SWEPT")) {
            return new Swept(Instant.EPOCH, 0, List.of());
        }
        List<String> parts = reply.list(2);
        List<Silent> silent = new ArrayList<>(parts.size() / 2);
        for (int i = 0; i < parts.size(); i += 2) {
            silent.add(new Silent(parts.get(i), Long.parseLong(parts.get(i + 1))));
        }
        return new Swept(DriverLine.millis(reply.text(0)), reply.number(1), silent);
    }

    private static List<Lapse> lapsed(Reply reply) {
        List<String> parts = reply.list(0);
        List<Lapse> lapsed = new ArrayList<>(parts.size() / 4);
        for (int i = 0; i < parts.size(); i += 4) {
            Instant until = DriverLine.millis(parts.get(i + 3));
            lapsed.add(new Lapse(parts.get(i), new Held(parts.get(i + 1), parts.get(i + 2), until)));
        }
        return lapsed;
    }

    private static List<Move> moves(Reply reply) {
        List<String> parts = reply.list(0);
        List<Move> moves = new ArrayList<>(parts.size() / 6);
        for (int i = 0; i < parts.size(); i += 6) {
            Leaving leaving =
                    new Leaving(parts.get(i + 2), Long.parseLong(parts.get(i + 3)), parts.get(i + 4), parts.get(i + 5));
            moves.add(new Move(parts.get(i), DriverLine.millis(parts.get(i + 1)), leaving));
        }
        return moves;
    }
}
