package dev.hotstate.server.monitors;

import dev.hotstate.monitors.Definition;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.history.Series;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a monitor was. */
final class HistoryCalls {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration EVER = Duration.ofDays(3_650);
    private static final int USUAL_STEPS = 100;
    private static final int MOST_IDS = 100;
    private static final List<Duration> STEPS = List.of(
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(6),
            Duration.ofHours(12),
            DAY,
            Duration.ofDays(7));

    private final Monitoring monitoring;
    private final InstantSource clock;

    HistoryCalls(Monitoring monitoring, InstantSource clock) {
        this.monitoring = monitoring;
        this.clock = clock;
    }

    Answer series(Request request) {
        String name = known(request).historyName();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Instant to = reachable(request.queryInstant("to").orElse(now), now);
        Instant from = reachable(request.queryInstant("from").orElseGet(() -> to.minus(DAY)), now);
        if (!from.isBefore(to)) {
            throw Problem.invalid("from", "must be before to");
        }
        Duration step = request.queryDuration("step").orElseGet(() -> usualStep(Duration.between(from, to)));
        var series = series(name, floor(from, step), to, step);
        return Answer.ok(SeriesShown.of(series, from, to));
    }

    /** Whole steps, so that who asks again a minute later sees the same ones and not each a minute later. */
    private static Instant floor(Instant from, Duration step) {
        long ms = Math.clamp(step.toMillis(), 1, DAY.toMillis());
        return Instant.ofEpochMilli(Math.floorDiv(from.toEpochMilli(), ms) * ms);
    }

    private Series series(String name, Instant from, Instant to, Duration step) {
        try {
            return monitoring.history().series(name, from, to, step);
        } catch (IllegalArgumentException refused) {
            throw Problem.invalid("step", String.valueOf(refused.getMessage()).replaceFirst("^step ", ""));
        }
    }

    /** So that there are about a hundred. */
    private static Duration usualStep(Duration span) {
        return STEPS.stream()
                .filter(step -> span.dividedBy(step) <= USUAL_STEPS)
                .findFirst()
                .orElse(STEPS.getLast());
    }

    /** Nothing is kept so far from now, and PostgreSQL knows fewer years than Java. */
    private static Instant reachable(Instant asked, Instant now) {
        if (asked.isBefore(now.minus(EVER))) {
            return now.minus(EVER);
        }
        return asked.isAfter(now.plus(EVER)) ? now.plus(EVER) : asked;
    }

    Answer uptime(Request request) {
        return Answer.ok(monitoring.history().uptime(known(request).historyName()));
    }

    /** Of many at once, for a list; whoever is not known is left out. */
    Answer uptimes(Request request) {
        List<String> ids = request.query("ids").stream()
                .flatMap(text -> Arrays.stream(text.split(",")))
                .distinct()
                .toList();
        if (ids.isEmpty() || ids.size() > MOST_IDS) {
            throw Problem.invalid("ids", "must be 1 to " + MOST_IDS + " ids with commas between them");
        }
        List<Definition> known = ids.stream()
                .map(monitoring.definitions()::find)
                .flatMap(Optional::stream)
                .toList();
        var uptimes = monitoring
                .history()
                .uptimes(known.stream().map(Definition::historyName).toList());
        List<UptimeShown> shown = known.stream()
                .map(definition ->
                        new UptimeShown(definition.id(), uptimes.getOrDefault(definition.historyName(), Map.of())))
                .toList();
        return Answer.ok(new Listing<>(shown, null));
    }

    private record UptimeShown(String id, Map<String, @Nullable Double> uptime) {}

    private Definition known(Request request) {
        return monitoring.definitions().find(request.id("id")).orElseThrow(() -> DefinitionCalls.unknown(request));
    }

    /** @param step as asked, or longer where history is not kept so finely any more */
    private record SeriesShown(
            Instant from,
            Instant to,
            Duration step,
            List<Point> items,
            @Nullable String nextCursor) {
        static SeriesShown of(Series series, Instant from, Instant to) {
            return new SeriesShown(
                    from,
                    to,
                    series.step(),
                    series.points().stream().map(Point::of).toList(),
                    null);
        }
    }

    private record Point(
            Instant at,
            long checks,
            long ok,
            @Nullable Double uptime,
            @Nullable Double avgMs,
            @Nullable Double p50,
            @Nullable Double p95,
            @Nullable Double p99) {
        static Point of(Series.Point point) {
            return new Point(
                    point.from(),
                    point.checks(),
                    point.ok(),
                    point.uptime(),
                    point.averageMs(),
                    point.p50Ms(),
                    point.p95Ms(),
                    point.p99Ms());
        }
    }
}
