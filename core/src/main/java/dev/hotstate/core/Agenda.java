package dev.hotstate.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A leased schedule: what is due when, and who is at it. Two keys a partition: the schedule (a ZSET, id to the time it is
 * due or its lease ends) and, beside it, the fences of what is held (a HASH).
 *
 * <p>Nothing is popped. {@link #claim} moves due entries to the end of a lease under a new fence; the holder
 * {@link #extend}s it and ends it with {@link #reschedule} or {@link #done}, each under its fence. An entry whose holder
 * died is due again when the lease ends, and the dead holder's fence is refused from its next claim on. Nothing due is
 * lost; nothing runs twice while its lease holds, but for a failover that lost the claim or a jump of Redis's clock, and
 * then the older fence is refused.
 *
 * <p>Each call is one round trip for up to {@value #MAX_BATCH} entries of one partition.
 */
public final class Agenda {
    /** Entries a call, so that Redis is never held for more than a millisecond or two. */
    public static final int MAX_BATCH = 500;

    private static final List<String> KEYS = List.of("incarnation", "schedule", "fences");

    // A put or a drop whose answer was lost is not repeated: the entry may have run, or have been put anew, meanwhile.
    static final Script<Placed> PUT =
            Script.of(Agenda.class, "put", KEYS, reply -> new Placed(reply.number(0), reply.number(1)));
    static final Script<Reply> CLAIM = Script.of(Agenda.class, "claim", KEYS, Function.identity());
    static final Script<Reply> TAKE = Script.of(Agenda.class, "take", KEYS, Function.identity());
    static final Script<List<String>> EXTEND =
            Script.of(Agenda.class, "extend", KEYS, reply -> reply.list(0)).repeatable();
    static final Script<List<String>> SETTLE = Script.of(Agenda.class, "settle", KEYS, reply -> reply.list(0));
    static final Script<Long> DROP = Script.of(Agenda.class, "drop", KEYS, reply -> reply.number(0));
    static final Script<Depth> DEPTH = Script.of(
            Agenda.class,
            "depth",
            List.of("schedule", "fences"),
            reply -> new Depth(reply.number(0), reply.number(1), reply.number(2), Duration.ofMillis(reply.number(3))));

    private final Redis redis;
    private final Passes passes;
    private final KeyFamily schedule;
    private final KeyFamily fences;

    /** An agenda over two families of a feature, whose one variable is the partition. */
    public Agenda(Redis redis, Passes passes, KeyFamily schedule, KeyFamily fences) {
        this.redis = redis;
        this.passes = passes;
        this.schedule = schedule;
        this.fences = fences;
    }

    /** The same agenda for a rebuilder: it acts under the rebuild's own pass. */
    public Agenda under(Pass pass) {
        return new Agenda(redis, Passes.always(pass), schedule, fences);
    }

    /** An entry taken by a claim, with the fence that each later call must show. */
    public record Claim(Partition partition, String id, Fence fence, Instant due, boolean lapsed) {}

    /**
     * What a claim brought.
     *
     * @param claims what is held now; may be empty
     * @param now Redis's time
     * @param nextDue how long until something is due, where nothing was; empty where nothing is scheduled or it is unknown
     */
    public record Claimed(List<Claim> claims, Optional<Instant> now, Optional<Duration> nextDue) {}

    /** How many entries were scheduled, and how many are held and will be scheduled when their holder ends. */
    public record Placed(long scheduled, long noted) {}

    /** What a partition's schedule holds; {@code late} is how overdue the first entry is. */
    public record Depth(long entries, long due, long held, Duration late) {}

    public Placed put(Partition partition, String id, Due due) {
        return put(partition, Map.of(id, due));
    }

    /** Schedules entries, or moves them; one that is held is scheduled when its holder ends. */
    public Placed put(Partition partition, Map<String, Due> entries) {
        return put(partition, entries, false);
    }

    /** Schedules those entries that are not on the schedule yet; what is there, held or not, stays as it is. */
    public Placed putIfAbsent(Partition partition, Map<String, Due> entries) {
        return put(partition, entries, true);
    }

    /** Takes up to {@code max} due entries for the length of a lease; comes back at once, also empty. */
    public Claimed claim(Partition partition, int max, Duration lease) {
        List<String> args = arguments(partition, max);
        args.add(Integer.toString(max));
        args.add(Long.toString(requirePositive(lease).toMillis()));
        Reply reply = CLAIM.run(redis, keys(partition), args);
        return reply.word().equals("IDLE") ? idle(reply) : claimed(partition, reply);
    }

    /** Takes this entry now, due or not, from whoever holds it; empty where it is not on the schedule. */
    public Optional<Claimed> take(Partition partition, String id, Duration lease) {
        List<String> args = arguments(partition, 1);
        args.add(id);
        args.add(Long.toString(requirePositive(lease).toMillis()));
        Reply reply = TAKE.run(redis, keys(partition), args);
        return reply.word().equals("ABSENT") ? Optional.empty() : Optional.of(taken(partition, id, reply));
    }

    /** Gives claims more time: a lease from now on. Answers those that are no longer held. */
    public List<Claim> extend(Collection<Claim> claims, Duration lease) {
        String length = Long.toString(requirePositive(lease).toMillis());
        return eachPartition(claims, (partition, mine) -> {
            List<String> args = arguments(partition, mine.size());
            args.add(length);
            mine.forEach(claim -> {
                args.add(claim.id());
                args.add(claim.fence().toString());
            });
            return EXTEND.run(redis, keys(partition), args);
        });
    }

    /** Ends claims and schedules their entries again. Answers those that were no longer held: nothing changed for them. */
    public List<Claim> reschedule(Map<Claim, Due> claims) {
        return settle(
                claims.keySet(), claim -> requireNonNull(claims.get(claim)).toString());
    }

    /** Ends claims; their entries are gone. Answers those that were no longer held: nothing changed for them. */
    public List<Claim> done(Collection<Claim> claims) {
        return settle(claims, claim -> "");
    }

    /** Hands claims back as they were, for a shutdown: they are due at once. */
    public List<Claim> release(Collection<Claim> claims) {
        return settle(claims, claim -> Due.at(claim.due()).toString());
    }

    /** Takes entries off the schedule, held or not; answers how many were there. */
    public long drop(Partition partition, Collection<String> ids) {
        List<String> args = arguments(partition, ids.size());
        args.addAll(ids);
        return DROP.run(redis, keys(partition), args);
    }

    public Depth depth(Partition partition) {
        return DEPTH.run(redis, List.of(schedule.of(partition), fences.of(partition)), List.of(redis.scriptTime()));
    }

    private Placed put(Partition partition, Map<String, Due> entries, boolean onlyNew) {
        List<String> args = arguments(partition, entries.size());
        args.add(onlyNew ? "1" : "0");
        entries.forEach((id, due) -> {
            args.add(id);
            args.add(due.toString());
        });
        return PUT.run(redis, keys(partition), args);
    }

    private List<Claim> settle(Collection<Claim> claims, Function<Claim, String> due) {
        return eachPartition(claims, (partition, mine) -> {
            List<String> args = arguments(partition, mine.size());
            mine.forEach(claim -> {
                args.add(claim.id());
                args.add(claim.fence().toString());
                args.add(due.apply(claim));
            });
            return SETTLE.run(redis, keys(partition), args);
        });
    }

    /** Calls once for each partition among the claims; answers the claims that got a 0. */
    private static List<Claim> eachPartition(Collection<Claim> claims, Settling call) {
        Map<Partition, List<Claim>> byPartition = new LinkedHashMap<>();
        claims.forEach(claim -> byPartition
                .computeIfAbsent(claim.partition(), p -> new ArrayList<>())
                .add(claim));
        List<Claim> stale = new ArrayList<>();
        byPartition.forEach((partition, mine) -> {
            List<String> verdicts = call.settle(partition, mine);
            for (int i = 0; i < mine.size(); i++) {
                if (verdicts.get(i).equals("0")) {
                    stale.add(mine.get(i));
                }
            }
        });
        return stale;
    }

    @FunctionalInterface
    private interface Settling {
        List<String> settle(Partition partition, List<Claim> claims);
    }

    private static Claimed idle(Reply reply) {
        long ms = reply.number(0);
        return new Claimed(List.of(), Optional.empty(), ms < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(ms)));
    }

    private static Claimed claimed(Partition partition, Reply reply) {
        Fence fence = Fence.parse(reply.text(0));
        List<String> entries = reply.list(2);
        List<Claim> claims = new ArrayList<>(entries.size() / 3);
        for (int i = 0; i < entries.size(); i += 3) {
            Instant due = Instant.ofEpochMilli(Long.parseLong(entries.get(i + 1)));
            claims.add(new Claim(
                    partition, entries.get(i), fence, due, entries.get(i + 2).equals("1")));
        }
        return new Claimed(claims, Optional.of(Instant.ofEpochMilli(reply.number(1))), Optional.empty());
    }

    private static Claimed taken(Partition partition, String id, Reply reply) {
        Instant due = Instant.ofEpochMilli(reply.number(2));
        Claim claim = new Claim(partition, id, Fence.parse(reply.text(0)), due, reply.number(3) == 1);
        return new Claimed(List.of(claim), Optional.of(Instant.ofEpochMilli(reply.number(1))), Optional.empty());
    }

    private List<Key> keys(Partition partition) {
        return List.of(CoreKeys.INCARNATION.of(partition), schedule.of(partition), fences.of(partition));
    }

    private List<String> arguments(Partition partition, int entries) {
        if (entries < 1 || entries > MAX_BATCH) {
            throw new IllegalArgumentException("a call takes 1 to " + MAX_BATCH + " entries, not " + entries);
        }
        List<String> args = new ArrayList<>(2 + 3 * entries);
        args.add(passes.of(partition).toString());
        args.add(redis.scriptTime());
        return args;
    }

    private static Duration requirePositive(Duration lease) {
        if (lease.toMillis() < 1) {
            throw new IllegalArgumentException("lease must be at least 1 ms, not " + lease);
        }
        return lease;
    }
}
