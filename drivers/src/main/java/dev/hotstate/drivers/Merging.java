package dev.hotstate.drivers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One search over several regions, each at its own pace: the nearest of all. A driver that is seen twice counts once. */
final class Merging {
    private final int limit;
    private final List<Side> sides;
    private List<Sighting> nearest = List.of();
    private Instant now = Instant.EPOCH;

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
        return nearest.stream().map(driver -> driver.candidate(now)).toList();
    }

    /** The last one of those that will be answered, once there are enough. */
    private @Nullable Sighting farthest() {
        return nearest.size() < limit ? null : nearest.getLast();
    }

    private List<Sighting> merged() {
        Set<String> ids = new HashSet<>();
        return sides.stream()
                .flatMap(side -> side.seen.stream())
                .sorted(Sighting.BY_DISTANCE)
                .filter(driver -> ids.add(driver.id()))
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
