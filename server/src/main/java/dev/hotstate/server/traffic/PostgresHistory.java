package dev.hotstate.server.traffic;

import dev.hotstate.store.Batch;
import dev.hotstate.store.Database;
import dev.hotstate.traffic.Histogram;
import dev.hotstate.traffic.HourRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * The hours in PostgreSQL, of each endpoint and of all together. What is written are the figures as they stand, so
 * writing them twice changes nothing.
 */
final class PostgresHistory {
    /** What stands for all endpoints together, so that a year is read without a million rows. */
    private static final String ALL = "";

    /** Of two rows the one with more requests stays: an hour only grows, unless Redis has lost a part of it. */
    private static final Batch<HourRow> HOURS = Batch.<HourRow>into("traffic_hourly")
            .key("hour", "timestamptz", HourRow::hour)
            .key("endpoint", "text", HourRow::endpoint)
            .version("requests", "bigint", HourRow::requests)
            .column("errors", "bigint", HourRow::errors)
            .column("sum_us", "bigint", HourRow::sumMicros)
            .column("histogram", "text", HourRow::histogram);

    private final Database database;

    PostgresHistory(Database database) {
        this.database = database;
    }

    void save(Collection<HourRow> rows) {
        var all = new ArrayList<>(rows);
        all.addAll(together(rows));
        database.useHandle(handle -> HOURS.upsert(handle, all));
    }

    /** The hours that begin within the range, both ends included, over all endpoints; at most so many. */
    List<HourRow> hours(Instant from, Instant to, int most) {
        return database.withHandle(handle -> handle.createQuery("""
                        SELECT hour, endpoint, requests, errors, sum_us, histogram FROM traffic_hourly
                        WHERE endpoint = :all AND hour BETWEEN :from AND :to ORDER BY hour LIMIT :most""")
                .bind("all", ALL)
                .bind("from", from.atOffset(ZoneOffset.UTC))
                .bind("to", to.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map((row, context) -> hour(row))
                .list());
    }

    /** Forgets what is older; answers how many rows. */
    int forget(Instant before) {
        return database.withHandle(handle -> handle.createUpdate("DELETE FROM traffic_hourly WHERE hour < :before")
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .execute());
    }

    private static Collection<HourRow> together(Collection<HourRow> rows) {
        var hours = new TreeMap<Instant, HourRow>();
        for (var row : rows) {
            hours.merge(row.hour(), row, PostgresHistory::sum);
        }
        hours.replaceAll(
                (hour, row) -> new HourRow(hour, ALL, row.requests(), row.errors(), row.sumMicros(), row.histogram()));
        return hours.values();
    }

    private static HourRow sum(HourRow one, HourRow other) {
        var times = Histogram.parse(one.histogram());
        times.merge(Histogram.parse(other.histogram()));
        return new HourRow(
                one.hour(),
                ALL,
                one.requests() + other.requests(),
                one.errors() + other.errors(),
                one.sumMicros() + other.sumMicros(),
                times.toString());
    }

    private static HourRow hour(ResultSet row) throws SQLException {
        return new HourRow(
                row.getObject("hour", OffsetDateTime.class).toInstant(),
                row.getString("endpoint"),
                row.getLong("requests"),
                row.getLong("errors"),
                row.getLong("sum_us"),
                row.getString("histogram"));
    }
}
