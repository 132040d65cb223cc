package dev.hotstate.drivers;

import dev.hotstate.core.RebuildingException;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.drivers.Found.Source;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
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
        Search wide = search.order() == Search.Order.SCORE ? wider(search) : search;
        try {
            return new Found(
                    ordered(redis.nearest(atlas.get().partitions(), wide), search), Source.REDIS, Duration.ZERO);
        } catch (RebuildingException | RedisUnavailableException away) {
            return fromPostgres(search, wide.limit());
        }
    }

    private static Search wider(Search search) {
        int weighed = Math.min(Search.MOST, OVER_FETCH * search.limit());
        return new Search(search.lat(), search.lon(), search.radius(), weighed, search.tag(), search.order());
    }

    Found fromPostgres(Search search, int weighed) {
        PostgresSearch.Nearest nearest = postgres.nearest(search, weighed);
        Duration staleBy = nearest.asOf()
                .map(asOf -> Duration.between(asOf, clock.instant()))
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
        return new Found(ordered(nearest.candidates(), search), Source.POSTGRES, staleBy);
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
