package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One search over several regions, each at its own pace: the nearest of all. A driver that is seen twice, as it moved just
 * then, counts once: where it came to last.
 */
final class Merging {
    private final int limit;
    private final List<Side> sides;
    private List<Seen> nearest = List.of();
    private Instant now = Instant.EPOCH;

    /** A driver and the region that it was found in. */
    private record Seen(Partition region, Sighting driver) {
        long epoch() {
            return driver.line().epoch();
        }
    }

    Merging(List<RedisSearch.Ask> asks, int limit) {
        this.limit = limit;
        this.sides = asks.stream().map(ask -> new Side(ask)).toList();
    }

    /** Where somebody may be who is nearer than those that are known; empty when all is known. */
    List<RedisSearch.Ask> open() {
        return sides.stream()
                .filter(side -> side.isOpen(limit, farthest()))
                .map(Side::ask)
                .toList();
    }

    void add(RedisSearch.Ask ask, RedisSearch.Part part) {
        sides.stream().filter(side -> side.ask.region().equals(ask.region())).forEach(side -> side.add(part, limit));
        now = part.now().isAfter(now) ? part.now() : now;
        nearest = merged();
    }

    List<Candidate> candidates() {
        return nearest.stream().map(seen -> seen.driver().candidate(now)).toList();
    }

    /** How many of them are in which region. */
    Map<Partition, Integer> shares() {
        Map<Partition, Integer> shares = new LinkedHashMap<>();
        nearest.forEach(seen -> shares.merge(seen.region(), 1, Integer::sum));
        return shares;
    }

    /** The last one of those that will be answered, once there are enough. */
    private @Nullable Sighting farthest() {
        return nearest.size() < limit ? null : nearest.getLast().driver();
    }

    private List<Seen> merged() {
        Map<String, Seen> latest = new HashMap<>();
        for (Side side : sides) {
            side.seen.forEach(driver -> latest.merge(
                    driver.id(),
                    new Seen(side.ask.region(), driver),
                    (one, other) -> one.epoch() >= other.epoch() ? one : other));
        }
        return latest.values().stream()
                .sorted(Comparator.comparing(Seen::driver, Sighting.BY_DISTANCE))
                .limit(limit)
                .toList();
    }

    private static final class Side {
        private final List<Sighting> seen = new ArrayList<>();
        private RedisSearch.Ask ask;
        private boolean ended;

        Side(RedisSearch.Ask ask) {
            this.ask = ask;
        }

        RedisSearch.Ask ask() {
            return ask;
        }

        boolean isOpen(int limit, @Nullable Sighting farthest) {
            return !ended
                    && seen.size() < limit
                    && (farthest == null || ask.cursor().mm() <= farthest.mm());
        }

        void add(RedisSearch.Part part, int limit) {
            seen.addAll(part.items());
            if (part.next() == null) {
                ended = true;
            } else {
                ask = new RedisSearch.Ask(ask.region(), Math.max(1, limit - seen.size()), part.next());
            }
        }
    }
}
