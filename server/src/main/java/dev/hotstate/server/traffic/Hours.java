package dev.hotstate.server.traffic;

import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.store.StoreUnavailableException;
import dev.hotstate.traffic.Histogram;
import dev.hotstate.traffic.HourRow;
import dev.hotstate.traffic.Line;
import dev.hotstate.traffic.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hours of both stores: Redis has the last 24 as they are now, PostgreSQL all of them as they were minutes ago. An
 * hour that both know is the one with more requests, since what was lost is missing there. While one store is away, the
 * other answers for what it has.
 */
final class Hours {
    private static final Logger LOG = LoggerFactory.getLogger(Hours.class);
    private static final Duration IN_REDIS = Duration.ofHours(24);

    private final Traffic traffic;
    private final PostgresHistory history;
    private final InstantSource clock;

    Hours(Traffic traffic, PostgresHistory history, InstantSource clock) {
        this.traffic = traffic;
        this.history = history;
        this.clock = clock;
    }

    /** Those that begin within the range, both ends included, in their order; at most so many. */
    List<Line> between(Instant from, Instant to, int most) {
        var hours = new TreeMap<Instant, Line>();
        var redisAway = to.isAfter(clock.instant().minus(IN_REDIS)) ? addRedis(hours, from, to) : null;
        addPostgres(hours, from, to, most, redisAway);
        return hours.values().stream().limit(most).toList();
    }

    private @Nullable RedisUnavailableException addRedis(TreeMap<Instant, Line> hours, Instant from, Instant to) {
        try {
            for (var line : traffic.hourly()) {
                var hour = Instant.parse(line.name());
                if (!hour.isBefore(from) && !hour.isAfter(to)) {
                    add(hours, hour, line);
                }
            }
            return null;
        } catch (RedisUnavailableException away) {
            LOG.debug("the hours come from PostgreSQL alone: {}", away.getMessage());
            return away;
        }
    }

    private void addPostgres(
            TreeMap<Instant, Line> hours,
            Instant from,
            Instant to,
            int most,
            @Nullable RedisUnavailableException redisAway) {
        try {
            history.hours(from, to, most).forEach(row -> add(hours, row.hour(), line(row)));
        } catch (StoreUnavailableException away) {
            if (redisAway != null || from.isBefore(clock.instant().minus(IN_REDIS))) {
                throw away;
            }
            LOG.debug("the hours come from Redis alone: {}", away.getMessage());
        }
    }

    private static Line line(HourRow hour) {
        var name = hour.hour().toString();
        if (hour.requests() == 0) {
            return new Line(name, 0, 0, null, null, null, null, null);
        }
        var times = Histogram.parse(hour.histogram());
        return new Line(
                name,
                hour.requests(),
                hour.errors(),
                hour.sumMicros() / 1000.0 / hour.requests(),
                times.percentile(50) / 1000,
                times.percentile(90) / 1000,
                times.percentile(95) / 1000,
                times.percentile(99) / 1000);
    }

    private static void add(TreeMap<Instant, Line> hours, Instant hour, Line line) {
        hours.merge(hour, line, (one, other) -> one.requests() >= other.requests() ? one : other);
    }
}
