package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The nearest that are free, taken in one step: nobody else finds them until they are let go. */
final class RedisTakes {
    private static final Logger log = LoggerFactory.getLogger(RedisTakes.class);

    /** Drivers a call. */
    static final int MOST = 100;

    /** So much longer than PostgreSQL holds a reservation does Redis: when it asks, PostgreSQL's has ended. */
    static final Duration MARGIN = Duration.ofSeconds(2);

    static final Script<Reply> TAKE = Script.of(RedisTakes.class, "take", takeKeys(), Function.identity());
    static final Script<String> RELEASE =
            RedisRegion.script("release", reply -> reply.text(0)).repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Nearby.Effort effort;

    RedisTakes(Redis redis, Passes passes) {
        this(redis, passes, Nearby.Effort.USUAL);
    }

    RedisTakes(Redis redis, Passes passes, Nearby.Effort effort) {
        this.redis = redis;
        this.passes = passes;
        this.effort = effort;
    }

    /** A driver that is held, in Redis alone so far. */
    record Taken(Sighting driver, Held held) {}

    /**
     * Takes up to so many, nearest first; each call to Redis is one step, and a search that takes several takes the
     * nearest of the moment with each.
     *
     * @param reservations an id for each that is taken, in their order
     */
    List<Taken> take(Partition region, Wish wish, int count, List<String> reservations) {
        if (count < 1 || count > MOST || reservations.size() < count) {
            throw new IllegalArgumentException("a call takes 1 to " + MOST + " drivers, with an id for each, not "
                    + count + " with " + reservations.size());
        }
        Nearby nearby = Nearby.of(wish);
        String lease = Long.toString(wish.lease().plus(MARGIN).toMillis());
        List<Taken> taken = new ArrayList<>(count);
        Cursor cursor = nearby.start();
        try {
            while (true) {
                List<String> ids = reservations.subList(taken.size(), count);
                Reply reply = TAKE.run(redis, keys(nearby, region), args(region, nearby, lease, ids, cursor));
                taken.addAll(taken(reply, ids));
                if (reply.word().equals("TAKEN") || taken.size() == count) {
                    return taken;
                }
                cursor = cursor.after(reply, 3, effort.tiles());
            }
        } catch (HotstateException failed) {
            undo(region, taken);
            throw failed;
        }
    }

    /** Who cannot be let go now is let go when the lease ends. */
    private void undo(Partition region, List<Taken> taken) {
        try {
            releaseAll(region, taken);
        } catch (HotstateException notNow) {
            log.debug("{} drivers of {} are let go later: {}", taken.size(), region, notNow.getMessage());
        }
    }

    /** Lets a driver go that is held by this fence; false where it is not, and nothing changes. */
    boolean release(Partition region, String id, String fence) {
        return !release(region, List.of(id, fence)).equals("=");
    }

    /** Lets go of those that are held by their fences still. */
    void releaseAll(Partition region, Collection<Taken> taken) {
        List<String> pairs = new ArrayList<>(2 * taken.size());
        taken.forEach(one -> {
            pairs.add(one.driver().id());
            pairs.add(one.held().fence());
        });
        if (!pairs.isEmpty()) {
            release(region, pairs);
        }
    }

    private String release(Partition region, List<String> pairs) {
        List<String> args = RedisRegion.args(redis, passes.of(region));
        args.addAll(pairs);
        return RELEASE.run(redis, RedisRegion.keys(region), args);
    }

    private static List<Key> keys(Nearby nearby, Partition region) {
        List<Key> keys = RedisRegion.keys(region);
        keys.add(nearby.set(region));
        return keys;
    }

    private List<String> args(Partition region, Nearby nearby, String lease, List<String> ids, Cursor cursor) {
        List<String> args = RedisRegion.args(redis, passes.of(region));
        args.add(lease);
        args.add(String.join(" ", ids));
        nearby.addTo(args, ids.size(), cursor, effort);
        return args;
    }

    private static List<Taken> taken(Reply reply, List<String> ids) {
        Instant until = DriverLine.millis(reply.text(1));
        List<Taken> taken = new ArrayList<>();
        for (Sighting driver : Sighting.parse(reply.list(2))) {
            taken.add(new Taken(driver, new Held(ids.get(taken.size()), reply.text(0), until)));
        }
        return taken;
    }

    private static List<String> takeKeys() {
        List<String> keys = new ArrayList<>(RedisRegion.KEYS);
        keys.add("set");
        return keys;
    }
}
