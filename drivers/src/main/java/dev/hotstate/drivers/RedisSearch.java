package dev.hotstate.drivers;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who is free nearby, by Redis: exactly the nearest, in their order. Nothing is changed. */
final class RedisSearch {
    static final Script<Reply> SEARCH = Script.of(
            RedisSearch.class,
            "search",
            List.of("incarnation", "set", "online", "fix", "profile"),
            Function.identity());

    private final Redis redis;
    private final Passes passes;
    private final Nearby.Effort effort;

    RedisSearch(Redis redis, Passes passes) {
        this(redis, passes, Nearby.Effort.USUAL);
    }

    RedisSearch(Redis redis, Passes passes, Nearby.Effort effort) {
        this.redis = redis;
        this.passes = passes;
        this.effort = effort;
    }

    /**
     * What one call found in one region.
     *
     * @param now Redis's time
     * @param next where to go on; null where there is no more, or the limit was reached
     */
    record Part(Instant now, List<Sighting> items, @Nullable Cursor next) {}

    /** The nearest of several regions. */
    List<Candidate> nearest(List<Partition> regions, Search search) {
        return merged(regions, Nearby.of(search), search.limit()).candidates();
    }

    /** How many of the nearest are in which region. */
    Map<Partition, Integer> shares(List<Partition> regions, Nearby nearby, int count) {
        return merged(regions, nearby, count).shares();
    }

    /** All regions are asked at once, and again those that had more to look through. */
    private Merging merged(List<Partition> regions, Nearby nearby, int limit) {
        Cursor start = nearby.start();
        Merging merging = new Merging(
                regions.stream().map(region -> new Ask(region, limit, start)).toList(), limit);
        for (List<Ask> open = merging.open(); !open.isEmpty(); open = merging.open()) {
            List<Part> parts = searchAll(nearby, open);
            for (int i = 0; i < parts.size(); i++) {
                merging.add(open.get(i), parts.get(i));
            }
        }
        return merging;
    }

    /** One call in one region. */
    Part search(Partition region, Search search, @Nullable Cursor cursor) {
        Nearby nearby = Nearby.of(search);
        Ask ask = new Ask(region, search.limit(), cursor == null ? nearby.start() : cursor);
        return searchAll(nearby, List.of(ask)).getFirst();
    }

    /** How many are wanted of a region, and where to begin. */
    record Ask(Partition region, int limit, Cursor cursor) {}

    /** One call in each region, all under way at once; answers in their order. */
    List<Part> searchAll(Nearby nearby, List<Ask> asks) {
        List<Script.Call> calls = new ArrayList<>(asks.size());
        asks.forEach(ask -> calls.add(new Script.Call(keys(nearby, ask.region()), args(nearby, ask))));
        List<Reply> replies = SEARCH.runAll(redis, calls);
        List<Part> parts = new ArrayList<>(asks.size());
        for (int i = 0; i < replies.size(); i++) {
            parts.add(part(replies.get(i), asks.get(i).cursor()));
        }
        return parts;
    }

    private static List<Key> keys(Nearby nearby, Partition region) {
        return List.of(
                CoreKeys.INCARNATION.of(region),
                nearby.set(region),
                DriverKeys.ONLINE.of(region),
                DriverKeys.FIX.of(region),
                DriverKeys.PROFILE.of(region));
    }

    private List<String> args(Nearby nearby, Ask ask) {
        List<String> args = RedisRegion.args(redis, passes.of(ask.region()));
        nearby.addTo(args, ask.limit(), ask.cursor(), effort);
        return args;
    }

    private Part part(Reply reply, Cursor cursor) {
        Cursor next = reply.word().equals("PART") ? cursor.after(reply, 2, effort.tiles()) : null;
        return new Part(Instant.ofEpochMilli(reply.number(0)), Sighting.parse(reply.list(1)), next);
    }
}
