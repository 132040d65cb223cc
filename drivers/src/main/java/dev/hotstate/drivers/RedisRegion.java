package dev.hotstate.drivers;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** How a script over the whole state of a region is called: {@code place.lua} has its keys in this order. */
final class RedisRegion {
    /** Drivers a call, so that Redis is never held for more than some milliseconds. */
    static final int MAX_BATCH = 200;

    static final List<String> KEYS = List.of(
            "incarnation",
            "geo",
            "status",
            "online",
            "fix",
            "profile",
            "reserved",
            "leases",
            "moved",
            "moves",
            "counts");

    private RedisRegion() {}

    static <R> Script<R> script(String name, Function<Reply, R> decoder) {
        return Script.of(RedisRegion.class, name, KEYS, decoder);
    }

    static List<Key> keys(Partition region) {
        List<Key> keys = new ArrayList<>(KEYS.size());
        keys.add(CoreKeys.INCARNATION.of(region));
        keys.addAll(DriverKeys.common(region));
        return keys;
    }

    /** What every script is told first; more is added. */
    static List<String> args(Redis redis, Pass pass) {
        List<String> args = new ArrayList<>();
        args.add(pass.toString());
        args.add(redis.scriptTime());
        return args;
    }

    /** A script looks at all drivers before it changes one, so each may come once. */
    static void requireBatch(List<String> ids) {
        if (ids.isEmpty() || ids.size() > MAX_BATCH) {
            throw new IllegalArgumentException("a call takes 1 to " + MAX_BATCH + " drivers, not " + ids.size());
        }
        Set<String> distinct = new HashSet<>(2 * ids.size());
        for (String id : ids) {
            if (!distinct.add(id)) {
                throw new IllegalArgumentException("driver " + id + " comes twice in a call");
            }
        }
    }
}
