package dev.hotstate.drivers;

import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Service;
import java.util.List;
import java.util.Set;

/** The keys of drivers. A region is a partition: all of it shares its tag. */
public final class DriverKeys {
    public static final int MAX_REGION = 16;
    public static final int MAX_TAG = 30;

    private static final String WHILE_KNOWN = "until its drivers are forgotten, 7 days after they were last heard of";

    static final KeyFamily GEO = region(KeyFamily.zset("{<region>}:drivers:geo"), "geo")
            .kept(WHILE_KNOWN)
            .typically(10_000, 16)
            .why(
                    "where the drivers are that can be found: AVAILABLE and not reserved. A GEO set of Redis: the score is the"
                            + " cell of 52 bits")
            .declared();

    static final KeyFamily TAGGED = region(KeyFamily.zset("{<region>}:drivers:tagged:<tag>"), "tagged:van")
            .id("tag", MAX_TAG)
            .kept(WHILE_KNOWN)
            .typically(500, 16)
            .why("of those in geo, the ones that have a tag: a search for a rare one visits no others")
            .declared();

    static final KeyFamily STATUS = region(KeyFamily.hash("{<region>}:drivers:status"), "status")
            .field("<id>", "AVAILABLE BUSY OFFLINE: every driver of this region")
            .kept(WHILE_KNOWN)
            .typically(10_000, 24)
            .why("what each driver is, in one look")
            .declared();

    static final KeyFamily ONLINE = region(KeyFamily.zset("{<region>}:drivers:online"), "online")
            .kept(WHILE_KNOWN)
            .typically(10_000, 16)
            .why(
                    "id -> end of its heartbeat (ms), of those that are AVAILABLE: one that is past is not found, and is made"
                            + " OFFLINE")
            .declared();

    static final KeyFamily FIX = region(KeyFamily.hash("{<region>}:drivers:fix"), "fix")
            .field(
                    "<id>",
                    "state (A found, R reserved, B busy, O offline by silence, C offline by choice) and t"
                            + " where it has tags (else -), at (us, of 16 digits), since (ms, when its status last"
                            + " changed), epoch (how often it changed its region), version (of what PostgreSQL has decided"
                            + " of it), a bar, seq (or -), seen (ms), cell (of 52 bits, as in geo; - before the first fix),"
                            + " heading and speed (or -)")
            .kept(WHILE_KNOWN)
            .typically(10_000, 110)
            .why("a driver's last fix and its order: an older one must not move it back")
            .declared();

    static final KeyFamily PROFILE = region(KeyFamily.hash("{<region>}:drivers:profile"), "profile")
            .field("<id>", "rating (or -), tags joined by commas; only of drivers that have any of these")
            .kept(WHILE_KNOWN)
            .typically(10_000, 40)
            .why("by which tags a driver is found, and how it is rated")
            .declared();

    static final KeyFamily RESERVED = region(KeyFamily.hash("{<region>}:drivers:reserved"), "reserved")
            .field("<id>", "reservation, fence and end of its lease (ms), parted by spaces")
            .kept("until the reservation is confirmed, cancelled or lapses")
            .typically(100, 100)
            .why("who is held: not in geo, whatever fixes come")
            .declared();

    static final KeyFamily LEASES = region(KeyFamily.zset("{<region>}:drivers:leases"), "leases")
            .kept("until the reservation is confirmed, cancelled or lapses")
            .typically(100, 24)
            .why("id -> end of its reservation's lease (ms): when PostgreSQL is asked what became of it")
            .declared();

    static final KeyFamily MOVED = region(KeyFamily.hash("{<region>}:drivers:moved"), "moved")
            .field("<id>", "region it moved to, its epoch there, then its lines of fix and profile as it left")
            .kept("an hour, by the sweep over moves")
            .typically(100, 200)
            .why("a driver that has left: a late fix is refused here, and a move that was cut short is taken up")
            .declared();

    static final KeyFamily MOVES = region(KeyFamily.zset("{<region>}:drivers:moves"), "moves")
            .kept("an hour, by the sweep over moves")
            .typically(100, 24)
            .why("id -> when it left (ms)")
            .declared();

    static final KeyFamily COUNTS = region(KeyFamily.hash("{<region>}:drivers:counts"), "counts")
            .field("available busy offline reserved", "drivers; reserved ones are among the available")
            .field("updates", "fixes that were accepted since the region began")
            .bounded(5)
            .typically(5, 12)
            .why("how many are what, without counting")
            .declared();

    static final KeyFamily SWEEPER = region(KeyFamily.string("{<region>}:drivers:sweeper"), "sweeper")
            .field("instance, until", "who looks for silent drivers now, and until when (ms) unless it sweeps again")
            .expires(RedisSweeps.LEASE)
            .typically(1, 50)
            .why("one instance at a time sweeps a region, and tells of whom it has made OFFLINE")
            .declared();

    /** What the module keeps in Redis, and what it sends. */
    public static final Service SERVICE = new Service(
            "drivers",
            List.of(GEO, TAGGED, STATUS, ONLINE, FIX, PROFILE, RESERVED, LEASES, MOVED, MOVES, COUNTS, SWEEPER),
            List.of(
                    RedisFixes.UPDATE,
                    RedisFixes.LEAVE,
                    RedisFixes.ENTER,
                    RedisTruth.SETTLE,
                    RedisTruth.REVIVE,
                    RedisSweeps.SWEEP,
                    RedisSweeps.LAPSED,
                    RedisSweeps.MOVES,
                    RedisSweeps.BURY,
                    RedisSweeps.FORGET,
                    RedisSweeps.RAZE,
                    RedisLook.LOOK,
                    RedisLook.TALLY,
                    RedisSearch.SEARCH,
                    RedisTakes.TAKE,
                    RedisTakes.RELEASE),
            Set.of());

    private DriverKeys() {}

    /** The keys of a region that nearly every script takes, in this order. */
    static List<Key> common(Partition region) {
        return List.of(
                GEO.of(region),
                STATUS.of(region),
                ONLINE.of(region),
                FIX.of(region),
                PROFILE.of(region),
                RESERVED.of(region),
                LEASES.of(region),
                MOVED.of(region),
                MOVES.of(region),
                COUNTS.of(region));
    }

    private static KeyFamily.Builder region(KeyFamily.Builder family, String name) {
        return family.id("region", MAX_REGION).owner("drivers").example("{blr}:drivers:" + name);
    }
}
