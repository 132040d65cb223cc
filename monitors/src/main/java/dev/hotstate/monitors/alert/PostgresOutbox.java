package dev.hotstate.monitors.alert;

import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Where an incident leaves its alerts, within its own transaction: with the incident they are there, or neither is. After
 * the commit {@link Alerting#nudge} has them sent at once; without it they are found within a second.
 */
public final class PostgresOutbox {
    private static final String COLUMNS = "id, incident, kind, sequence, channel, status, attempts, error, created_at,"
            + " last_attempt_at, delivered_at, CASE status WHEN 'pending' THEN due_at END AS next_attempt_at";

    private final Database database;

    public PostgresOutbox(Database database) {
        this.database = database;
    }

    /**
     * Leaves an alert for each of these channels; one that is there already stays as it is, so a transaction may be
     * repeated.
     *
     * @param held not to be sent before {@link #release}. Later alerts of the same incident and channel wait for it too.
     */
    public void add(Handle handle, Alert alert, Collection<String> channels, boolean held) {
        handle.createUpdate("""
                        INSERT INTO monitors_deliveries (incident, kind, sequence, channel, message, status)
                        SELECT :incident, :kind, :sequence, channel, cast(:message AS jsonb), :status
                        FROM unnest(:channels) AS channel
                        ON CONFLICT DO NOTHING""")
                .bind("incident", alert.incident())
                .bind("kind", alert.kind().word())
                .bind("sequence", alert.sequence())
                .bind("message", Message.of(alert).json())
                .bind("status", held ? "held" : "pending")
                // In one order, so that two transactions that add the same never wait for each other in a circle.
                .bindArray(
                        "channels",
                        String.class,
                        channels.stream().distinct().sorted().toList())
                .execute();
    }

    /** What was held of this incident is due now. */
    public void release(Handle handle, long incident) {
        handle.createUpdate("""
                        UPDATE monitors_deliveries SET status = 'pending', ready_at = now(), due_at = now()
                        WHERE incident = :incident AND status = 'held'""").bind("incident", incident).execute();
    }

    /** What was held of this incident will not be sent; the log says so. */
    public void drop(Handle handle, long incident) {
        handle.createUpdate(
                        "UPDATE monitors_deliveries SET status = 'dropped' WHERE incident = :incident AND status = 'held'")
                .bind("incident", incident)
                .execute();
    }

    /** The fate of each alert of an incident, in the order in which they are told. */
    public List<Delivery> of(long incident) {
        return database.withHandle(handle -> of(handle, List.of(incident)));
    }

    /** As {@link #of(long)}, of several: incident by incident. */
    public List<Delivery> of(Collection<Long> incidents) {
        return database.withHandle(handle -> of(handle, incidents));
    }

    /** The same, within the caller's transaction. */
    public List<Delivery> of(Handle handle, Collection<Long> incidents) {
        return handle.createQuery("SELECT " + COLUMNS + " FROM monitors_deliveries WHERE incident = ANY (:incidents)"
                        + " ORDER BY incident, place, channel")
                .bindArray("incidents", Long.class, incidents)
                .map((row, context) -> delivery(row))
                .list();
    }

    /** Those given up, newest first, before the given id. */
    public List<Delivery> dead(long before, int limit) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT " + COLUMNS
                                + " FROM monitors_deliveries WHERE status = 'dead' AND id < :before ORDER BY id DESC LIMIT :limit")
                .bind("before", before)
                .bind("limit", limit)
                .map((row, context) -> delivery(row))
                .list());
    }

    private static Delivery delivery(ResultSet row) throws SQLException {
        Alert.Kind kind = Alert.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT));
        return new Delivery(
                row.getLong("id"),
                row.getLong("incident"),
                kind,
                row.getInt("sequence"),
                row.getString("channel"),
                Delivery.Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getInt("attempts"),
                row.getString("error"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                instant(row, "last_attempt_at"),
                instant(row, "delivered_at"),
                instant(row, "next_attempt_at"),
                kind.key(row.getLong("incident"), row.getInt("sequence"), row.getString("channel")));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        var time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
