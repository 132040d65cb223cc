package dev.hotstate.monitors;

import dev.hotstate.monitors.alert.Alert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Incidents as rows: how one is read, looked up and noted within a transaction. What a transaction has looked up stays as
 * it is until it ends, since alerts may be released at the same time.
 */
final class PostgresIncidentRows {
    static final String COLUMNS = """
            id, monitor_id, monitor_name, monitor_target, started_at, ended_at, failure_count, error, channels, held,
            acknowledged_at, acknowledged_by, reminders""";

    private PostgresIncidentRows() {}

    static Optional<Incident> find(Handle handle, long id) {
        return handle.createQuery("SELECT " + COLUMNS + " FROM monitors_incidents WHERE id = :id FOR UPDATE")
                .bind("id", id)
                .map((row, context) -> incident(row))
                .findOne();
    }

    static Optional<Incident> open(Handle handle, String monitor) {
        return handle.createQuery("SELECT " + COLUMNS
                        + " FROM monitors_incidents WHERE monitor_id = :monitor AND ended_at IS NULL FOR UPDATE")
                .bind("monitor", monitor)
                .map((row, context) -> incident(row))
                .findOne();
    }

    static Optional<Incident> of(Handle handle, String monitor, Instant startedAt) {
        return handle.createQuery(
                        "SELECT " + COLUMNS
                                + " FROM monitors_incidents WHERE monitor_id = :monitor AND started_at = :started_at FOR UPDATE")
                .bind("monitor", monitor)
                .bind("started_at", time(startedAt))
                .map((row, context) -> incident(row))
                .findOne();
    }

    /** One writer a monitor at a time, until the transaction ends; two instances may tell the same outage. */
    static void lock(Handle handle, String monitor) {
        handle.createQuery("SELECT 1 FROM pg_advisory_xact_lock(hashtext('monitor'), hashtext(:monitor))")
                .bind("monitor", monitor)
                .mapTo(int.class)
                .one();
    }

    static void note(Handle handle, long incident, Instant at, String kind, @Nullable String detail) {
        handle.createUpdate("""
                        INSERT INTO monitors_incident_events (incident_id, at, kind, detail)
                        VALUES (:incident, :at, :kind, :detail)""")
                .bind("incident", incident)
                .bind("at", time(at))
                .bind("kind", kind)
                .bind("detail", detail)
                .execute();
    }

    static void cover(Handle handle, Collection<Long> ids, Instant at) {
        handle.createUpdate("""
                        WITH known AS (
                            UPDATE monitors_incident_events SET at = :at
                            WHERE incident_id = ANY(:ids) AND kind = 'covered' RETURNING incident_id)
                        INSERT INTO monitors_incident_events (incident_id, at, kind)
                        SELECT id, :at, 'covered' FROM monitors_incidents
                        WHERE id = ANY(:ids) AND held AND ended_at IS NULL
                        AND id NOT IN (SELECT incident_id FROM known)""")
                .bindArray("ids", Long.class, List.copyOf(ids))
                .bind("at", time(at))
                .execute();
    }

    static Map<Long, Instant> coveredUntil(Handle handle, Collection<Long> ids) {
        Map<Long, Instant> until = new HashMap<>();
        handle.createQuery("""
                        SELECT incident_id, max(at) AS at FROM monitors_incident_events
                        WHERE incident_id = ANY(:ids) AND kind = 'covered' GROUP BY incident_id""")
                .bindArray("ids", Long.class, List.copyOf(ids))
                .map((row, context) -> Map.entry(
                        row.getLong("incident_id"),
                        row.getObject("at", OffsetDateTime.class).toInstant()))
                .forEach(entry -> until.put(entry.getKey(), entry.getValue()));
        return until;
    }

    /** Whether a monitor that it depends on was seen to fail in its maintenance meanwhile. */
    static boolean isCovered(Handle handle, long incident) {
        return handle.createQuery("""
                        SELECT EXISTS (SELECT FROM monitors_incident_events
                            WHERE incident_id = :incident AND kind = 'covered')""")
                .bind("incident", incident)
                .mapTo(boolean.class)
                .one();
    }

    static Incident incident(ResultSet row) throws SQLException {
        return new Incident(
                row.getLong("id"),
                new Alert.Subject(
                        row.getString("monitor_id"), row.getString("monitor_name"), row.getString("monitor_target")),
                row.getObject("started_at", OffsetDateTime.class).toInstant(),
                instant(row, "ended_at"),
                row.getLong("failure_count"),
                row.getString("error"),
                channels(row),
                row.getBoolean("held"),
                instant(row, "acknowledged_at"),
                row.getString("acknowledged_by"),
                row.getInt("reminders"));
    }

    private static List<String> channels(ResultSet row) throws SQLException {
        List<String> channels = new ArrayList<>();
        Collections.addAll(channels, (String[]) row.getArray("channels").getArray());
        return List.copyOf(channels);
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
