package dev.hotstate.monitors.history;

import static java.util.Objects.requireNonNull;

import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * What a stretch of time amounts to, from whichever levels have it. All statements of a call see one moment, so a period
 * that is being rolled up is neither missed nor counted twice.
 */
final class PostgresReading {
    private static final String SUMS = "sum(l.checks) AS checks, sum(l.ok) AS ok, sum(l.up_ms) AS up_ms,"
            + " sum(l.down_ms) AS down_ms, sum(l.latency_ms) AS latency_ms, '\\x00'::bytea AS latency";
    private static final String EACH = "l.checks, l.ok, l.up_ms, l.down_ms, l.latency_ms, l.latency";

    private final Database database;

    /** Whether percentiles are asked for: histograms are added up here, all else there. */
    enum Detail {
        SUMS,
        HISTOGRAMS
    }

    /** What was asked, and how far it has come. */
    private record Query(Handle handle, Grid grid, long now, Map<Integer, List<Tally>> found) {
        Tally tally(int series, int cell) {
            return tallies(series).get(cell);
        }

        List<Tally> tallies(int series) {
            return requireNonNull(found.get(series));
        }
    }

    PostgresReading(Database database) {
        this.database = database;
    }

    /**
     * By monitor, for each cell of the grid. A monitor that has no history is not there.
     *
     * @param now how it is later nobody knows yet
     */
    Map<String, List<Tally>> read(Collection<String> monitors, Grid grid, long now, Detail detail) {
        return database.withHandle(handle -> handle.inTransaction(
                TransactionIsolationLevel.REPEATABLE_READ, snapshot -> read(snapshot, monitors, grid, now, detail)));
    }

    private static Map<String, List<Tally>> read(
            Handle handle, Collection<String> monitors, Grid grid, long now, Detail detail) {
        Map<String, Integer> numbers = PostgresResults.numbers(handle, Set.copyOf(monitors));
        Map<Integer, List<Tally>> found = new HashMap<>();
        numbers.values().forEach(number -> found.put(number, grid.tallies()));
        if (!found.isEmpty()) {
            Query query = new Query(handle, grid, now, found);
            Cover cover = Cover.of(grid, PostgresMarks.settled(handle, blocks(found.keySet())));
            periods(query, "monitors_days", cover.spans(Level.DAY), detail);
            periods(query, "monitors_hours", cover.spans(Level.HOUR), detail);
            cover.spans(Level.MINUTE).forEach(span -> minutes(query, span));
            cover.spans(Level.RESULT).forEach(span -> results(query, span));
        }
        return numbers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> found.get(entry.getValue())));
    }

    private static Set<Integer> blocks(Collection<Integer> series) {
        return series.stream().map(number -> number / PostgresResults.BLOCK).collect(Collectors.toSet());
    }

    private static void periods(Query query, String table, List<Cover.Span> spans, Detail detail) {
        if (spans.isEmpty()) {
            return;
        }
        boolean each = detail == Detail.HISTOGRAMS;
        query.handle()
                .createQuery("SELECT l.series, width_bucket(l.start, :edges::timestamptz[]) - 1 AS cell, "
                        + (each ? EACH : SUMS)
                        + " FROM unnest(:froms::timestamptz[], :tos::timestamptz[]) AS s(from_, to_)"
                        + " JOIN " + table + " l ON l.start >= s.from_ AND l.start < s.to_"
                        + " WHERE l.series = ANY(:series) AND l.start >= :from AND l.start < :to"
                        + (each ? "" : " GROUP BY 1, 2"))
                .bindArray(
                        "edges",
                        String.class,
                        query.grid().edges().mapToObj(PostgresReading::text).toList())
                .bindArray(
                        "froms",
                        String.class,
                        spans.stream().map(span -> text(span.from())).toList())
                .bindArray(
                        "tos",
                        String.class,
                        spans.stream().map(span -> text(span.to())).toList())
                .bindArray("series", Integer.class, query.found().keySet())
                .bind("from", Instant.ofEpochMilli(spans.getFirst().from()))
                .bind("to", Instant.ofEpochMilli(spans.getLast().to()))
                .map((row, context) -> {
                    query.tally(row.getInt("series"), row.getInt("cell")).merge(tally(row));
                    return true;
                })
                .forEach(merged -> {});
    }

    private static void minutes(Query query, Cover.Span span) {
        query.handle()
                .createQuery("SELECT series, start, minutes FROM monitors_minutes"
                        + " WHERE series = ANY(:series) AND start >= :from AND start < :to")
                .bindArray("series", Integer.class, query.found().keySet())
                .bind("from", Instant.ofEpochMilli(Level.HOUR.floor(span.from())))
                .bind("to", Instant.ofEpochMilli(span.to()))
                .map((row, context) -> {
                    int series = row.getInt("series");
                    Minutes.unpack(
                            row.getBytes("minutes"), row.getTimestamp("start").getTime(), (start, minute) -> {
                                if (start >= span.from() && start < span.to()) {
                                    query.tally(series, query.grid().cell(start))
                                            .merge(minute);
                                }
                            });
                    return true;
                })
                .forEach(merged -> {});
    }

    private static void results(Query query, Cover.Span span) {
        long to = Math.min(span.to(), query.now());
        if (to <= span.from()) {
            return;
        }
        Consumer<List<Sample>> tell = samples -> Timeline.tell(
                samples,
                span.from(),
                to,
                query.grid(),
                query.tallies(samples.getFirst().series()));
        PostgresSamples.each(query.handle(), query.found().keySet(), span.from(), to, tell);
    }

    static Tally tally(ResultSet row) throws SQLException {
        return new Tally(
                row.getLong("checks"),
                row.getLong("ok"),
                row.getLong("up_ms"),
                row.getLong("down_ms"),
                row.getLong("latency_ms"),
                Histogram.read(new Varints.Reader(row.getBytes("latency"))));
    }

    private static String text(long at) {
        return Instant.ofEpochMilli(at).toString();
    }
}
