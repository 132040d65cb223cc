package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.drivers.Found.Source;
import dev.hotstate.drivers.RedisSearch.Ask;
import dev.hotstate.drivers.RedisSearch.Part;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Who is free nearby: all regions are asked at once, and their answers merged; PostgreSQL where Redis cannot say. */
final class Finder {
    /** Those that are nearest are weighed, this many times as many as are wanted. */
    private static final int OVER_FETCH = 4;

    private final RedisSearch redis;
    private final PostgresSearch postgres;
    private final Supplier<Atlas> atlas;
    private final Scoring scoring;
    private final InstantSource clock;

    Finder(RedisSearch redis, PostgresSearch postgres, Supplier<Atlas> atlas, Scoring scoring, InstantSource clock) {
        this.redis = redis;
        this.postgres = postgres;
        this.atlas = atlas;
        this.scoring = scoring;
        this.clock = clock;
    }

    Found find(Search search) {
        int weighed = search.order() == Search.Order.SCORE
                ? Math.min(Search.MOST, OVER_FETCH * search.limit())
                : search.limit();
        try {
            Sighted sighted = nearest(Nearby.of(search), weighed);
            List<Candidate> candidates = sighted.drivers().stream()
                    .map(region -> region.sighting().candidate(sighted.now()))
                    .toList();
            return new Found(ordered(candidates, search), Source.REDIS, Duration.ZERO);
        } catch (RebuildingException | RedisUnavailableException away) {
            return fromPostgres(search, weighed);
        }
    }

    Found fromPostgres(Search search, int weighed) {
        PostgresSearch.Nearest nearest = postgres.nearest(search, weighed);
        Duration staleBy = nearest.asOf()
                .map(asOf -> Duration.between(asOf, clock.instant()))
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
        return new Found(ordered(nearest.candidates(), search), Source.POSTGRES, staleBy);
    }

    /** A driver and the region that it was found in. */
    record InRegion(Partition region, Sighting sighting) {}

    /** @param now Redis's time */
    record Sighted(List<InRegion> drivers, Instant now) {}

    /** The nearest of all regions, in their order; a driver that is in two just now counts where it came to last. */
    Sighted nearest(Nearby nearby, int limit) {
        Map<String, InRegion> found = new HashMap<>();
        Instant now = Instant.EPOCH;
        List<Ask> asks = new ArrayList<>();
        atlas.get().partitions().forEach(region -> asks.add(new Ask(region, limit, nearby.start())));
        while (!asks.isEmpty()) {
            List<Part> parts = redis.searchAll(nearby, asks);
            List<Ask> further = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                Ask ask = asks.get(i);
                Part part = parts.get(i);
                part.items().forEach(item -> found.merge(item.id(), new InRegion(ask.region(), item), Finder::later));
                now = now.isBefore(part.now()) ? part.now() : now;
                int left = ask.limit() - part.items().size();
                if (part.next() != null && left > 0) {
                    further.add(new Ask(ask.region(), left, part.next()));
                }
            }
            long enough = farthest(found, limit);
            further.removeIf(ask -> ask.cursor().mm() > enough);
            asks.clear();
            asks.addAll(further);
        }
        return new Sighted(inOrder(found).stream().limit(limit).toList(), now);
    }

    /** How far it is worth looking: to the last of those that are wanted, once as many are found. */
    private static long farthest(Map<String, InRegion> found, int limit) {
        return found.size() < limit
                ? Long.MAX_VALUE
                : inOrder(found).get(limit - 1).sighting().mm();
    }

    private static List<InRegion> inOrder(Map<String, InRegion> found) {
        return found.values().stream()
                .sorted(Comparator.comparing(InRegion::sighting, Sighting.BY_DISTANCE))
                .toList();
    }

    private static InRegion later(InRegion one, InRegion other) {
        return one.sighting().line().epoch() >= other.sighting().line().epoch() ? one : other;
    }

    private List<Scored> ordered(List<Candidate> candidates, Search search) {
        if (search.order() == Search.Order.DISTANCE) {
            return candidates.stream().map(Scored::byDistance).toList();
        }
        return candidates.stream()
                .map(candidate -> scoring.score(candidate, search))
                .sorted(Comparator.comparingDouble(Finder::score)
                        .reversed()
                        .thenComparing(scored -> scored.candidate().distance())
                        .thenComparing(scored -> scored.candidate().id()))
                .limit(search.limit())
                .toList();
    }

    private static double score(Scored scored) {
        return scored.score() == null ? 0 : scored.score();
    }
}
