package dev.hotstate.monitors.history;

import static java.util.Objects.requireNonNull;

import dev.hotstate.store.Batch;
import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Results in PostgreSQL, and the marks of what they come too late for. */
final class PostgresResults {
    private static final int OK = 1;
    private static final int DOWN = 2;
    private static final int MAINTENANCE = 4;

    /** So many series are rolled up in one transaction. */
    static final int BLOCK = 512;

    /** At most so many monitors in one statement. */
    private static final int PAGE = 10_000;

    private record Row(int series, Result result) {}

    private static final Batch<Row> RESULTS = Batch.<Row>into("monitors_results")
            .key("series", "int", Row::series)
            .key("at", "timestamptz", row -> row.result().at())
            .column("latency_ms", "int", row -> Math.min(row.result().latencyMs(), Integer.MAX_VALUE))
            .column("stands_s", "int", row -> Math.min(row.result().standsFor().toSeconds(), Integer.MAX_VALUE))
            .column("status_code", "smallint", row -> statusCode(row.result()))
            .column("flags", "smallint", row -> flags(row.result()))
            .column("error", "text", row -> storable(row.result().error()));

    private final Database database;

    PostgresResults(Database database) {
        this.database = database;
    }

    /**
     * All or none; writing them again changes nothing. The order is what makes late results count: first the hours are
     * shared, so that none of them is closed, then is asked up to where hours are closed already.
     */
    void write(List<Result> results) {
        database.useTransaction(handle -> {
            PostgresLocks.shareHours(handle, hours(results));
            Map<String, Integer> series = numbered(handle, results);
            List<Row> rows = results.stream()
                    .map(result -> new Row(requireNonNull(series.get(result.monitor())), result))
                    .toList();
            RESULTS.upsert(handle, rows);
            PostgresMarks.add(handle, late(rows, PostgresMarks.until(handle)));
        });
    }

    /** The last of each that is still kept; none for a monitor that has none. */
    Map<String, Result> latest(Collection<String> monitors) {
        Map<String, Result> latest = new HashMap<>();
        List<String> all = List.copyOf(Set.copyOf(monitors));
        for (int from = 0; from < all.size(); from += PAGE) {
            List<String> page = all.subList(from, Math.min(from + PAGE, all.size()));
            database.useHandle(
                    handle -> handle.createQuery("SELECT s.monitor, r.* FROM monitors_series s CROSS JOIN LATERAL"
                                    + " (SELECT * FROM monitors_results WHERE series = s.id ORDER BY at DESC LIMIT 1) r"
                                    + " WHERE s.monitor = ANY(:monitors)")
                            .bindArray("monitors", String.class, page)
                            .map((row, context) -> result(row))
                            .forEach(result -> latest.put(result.monitor(), result)));
        }
        return latest;
    }

    Set<String> names() {
        return database.withHandle(handle -> handle.createQuery("SELECT monitor FROM monitors_series")
                .mapTo(String.class)
                .collect(Collectors.toCollection(HashSet::new)));
    }

    /** Whoever is called so again gets a new number. */
    void forget(Collection<String> monitors) {
        database.useHandle(handle -> handle.createUpdate("DELETE FROM monitors_series WHERE monitor = ANY(:monitors)")
                .bindArray("monitors", String.class, Set.copyOf(monitors))
                .execute());
    }

    static Sample sample(ResultSet row) throws SQLException {
        int flags = row.getInt("flags");
        return new Sample(
                row.getInt("series"),
                row.getTimestamp("at").getTime(),
                row.getInt("stands_s") * 1000L,
                (flags & OK) != 0,
                (flags & DOWN) != 0,
                (flags & MAINTENANCE) != 0,
                row.getInt("latency_ms"));
    }

    private static Result result(ResultSet row) throws SQLException {
        Sample sample = sample(row);
        return new Result(
                row.getString("monitor"),
                Instant.ofEpochMilli(sample.at()),
                Duration.ofMillis(sample.standsMs()),
                sample.ok(),
                sample.down(),
                sample.maintenance(),
                sample.latencyMs(),
                row.getObject("status_code", Integer.class),
                row.getString("error"));
    }

    private static Set<Integer> hours(List<Result> results) {
        Set<Integer> hours = new TreeSet<>();
        for (Result result : results) {
            for (long hour = firstHour(result); hour <= lastMoment(result); hour += Level.HOUR.ms()) {
                hours.add(PostgresMarks.number(hour));
            }
        }
        return hours;
    }

    private static Map<String, Integer> numbered(Handle handle, List<Result> results) {
        Set<String> monitors = results.stream().map(Result::monitor).collect(Collectors.toCollection(TreeSet::new));
        Map<String, Integer> known = numbers(handle, monitors);
        monitors.removeAll(known.keySet());
        if (!monitors.isEmpty()) {
            handle.createUpdate(
                            "INSERT INTO monitors_series (monitor) SELECT unnest(:monitors::text[]) ON CONFLICT DO NOTHING")
                    .bindArray("monitors", String.class, monitors)
                    .execute();
            known.putAll(numbers(handle, monitors));
        }
        return known;
    }

    static Map<String, Integer> numbers(Handle handle, Collection<String> monitors) {
        Map<String, Integer> numbers = new HashMap<>();
        handle.createQuery("SELECT monitor, id FROM monitors_series WHERE monitor = ANY(:monitors)")
                .bindArray("monitors", String.class, monitors)
                .map((row, context) -> Map.entry(row.getString("monitor"), row.getInt("id")))
                .forEach(entry -> numbers.put(entry.getKey(), entry.getValue()));
        return numbers;
    }

    /** The hours that a result reaches into, as far as they are closed. */
    private static Collection<PostgresMarks.Mark> late(List<Row> rows, long until) {
        Set<PostgresMarks.Mark> late = new LinkedHashSet<>();
        for (Row row : rows) {
            long end = lastMoment(row.result());
            for (long hour = firstHour(row.result()); hour <= end && hour < until; hour += Level.HOUR.ms()) {
                late.add(new PostgresMarks.Mark(Level.HOUR, hour, row.series() / BLOCK));
            }
        }
        return new ArrayList<>(late);
    }

    private static long firstHour(Result result) {
        return Level.HOUR.floor(result.at().toEpochMilli());
    }

    private static long lastMoment(Result result) {
        return result.at().toEpochMilli() + Math.min(result.standsFor().toMillis(), Timeline.LONGEST_MS);
    }

    private static int flags(Result result) {
        return (result.ok() ? OK : 0) | (result.down() ? DOWN : 0) | (result.maintenance() ? MAINTENANCE : 0);
    }

    private static @Nullable Integer statusCode(Result result) {
        Integer code = result.statusCode();
        return code == null ? null : Math.clamp(code, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    /** What a target says may hold anything; PostgreSQL's text does not. */
    private static @Nullable String storable(@Nullable String text) {
        if (text == null) {
            return null;
        }
        StringBuilder storable = new StringBuilder(text.length());
        text.codePoints()
                .map(character -> character == 0 || isHalf(character) ? 0xFFFD : character)
                .forEach(storable::appendCodePoint);
        return storable.toString();
    }

    private static boolean isHalf(int character) {
        return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
    }
}
