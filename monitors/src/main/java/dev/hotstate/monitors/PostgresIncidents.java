package dev.hotstate.monitors;

import dev.hotstate.monitors.RedisOutages.Outage;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.monitors.alert.Alert;
import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Incidents in PostgreSQL. An incident and the alerts about it are written in one transaction, one monitor at a time, and
 * telling the same outages again changes nothing.
 */
final class PostgresIncidents {
    private static final String COLUMNS = """
            id, monitor_id, monitor_name, monitor_target, started_at, ended_at, failure_count, error, channels, held,
            acknowledged_at, acknowledged_by, reminders""";

    private final Database database;
    private final PostgresOutbox outbox;

    PostgresIncidents(Database database, PostgresOutbox outbox) {
        this.database = database;
        this.outbox = outbox;
    }

    /** What came of telling: the incident of the outage under way, and those that began and ended with it. */
    record Told(OptionalLong current, List<Incident> opened, List<Incident> closed) {}

    Told tell(Monitor monitor, Outages outages) {
        return database.inTransaction(handle -> {
            lock(handle, monitor.id());
            List<Incident> opened = new ArrayList<>();
            List<Incident> closed = new ArrayList<>();
            for (Outage outage : outages.ended()) {
                end(handle, monitor, outage, opened, closed);
            }
            OptionalLong current = OptionalLong.empty();
            if (outages.current() != null) {
                Incident incident = begin(handle, monitor, outages.current(), opened);
                current = OptionalLong.of(incident.id());
            }
            return new Told(current, List.copyOf(opened), List.copyOf(closed));
        });
    }

    /**
     * An incident that is open goes on, whatever its beginning: Redis may have forgotten when that was. A new one's alerts wait
     * while it is not known how the monitors are that it depends on.
     */
    private Incident begin(Handle handle, Monitor monitor, Outage outage, List<Incident> opened) {
        return open(handle, monitor.id())
                .or(() -> of(handle, monitor.id(), outage.startedAt()))
                .orElseGet(() -> {
                    boolean held = outage.endedAt() == null
                            ? !monitor.dependsOn().isEmpty()
                            : overlaps(handle, monitor.dependsOn(), outage);
                    Incident incident = insert(handle, monitor, outage, held);
                    opened.add(incident);
                    outbox.add(handle, incident.alert(Alert.Kind.OPENED, 0), incident.channels(), held);
                    return incident;
                });
    }

    /** Where the outage was never told, it is told now with its beginning and its end. */
    private void end(Handle handle, Monitor monitor, Outage outage, List<Incident> opened, List<Incident> closed) {
        Optional<Incident> told = outage.incident().isPresent()
                ? find(handle, outage.incident().getAsLong())
                : of(handle, monitor.id(), outage.startedAt())
                        .or(() -> open(handle, monitor.id()).filter(open -> beganBeforeEndOf(outage, open)));
        if (told.isEmpty() && open(handle, monitor.id()).isPresent()) {
            // A later outage is open, so this one was told under another beginning.
            return;
        }
        Incident incident = told.orElseGet(() -> begin(handle, monitor, outage, opened));
        if (incident.isOpen()) {
            closed.add(close(handle, incident, outage));
        }
    }

    private static boolean beganBeforeEndOf(Outage outage, Incident open) {
        return outage.endedAt() != null && !open.startedAt().isAfter(outage.endedAt());
    }

    private Incident close(Handle handle, Incident incident, Outage outage) {
        Instant endedAt = outage.endedAt() == null ? outage.startedAt() : outage.endedAt();
        Incident closed = handle.createQuery("""
                        UPDATE monitors_incidents
                        SET ended_at = greatest(:ended_at, started_at), held = false,
                            failure_count = greatest(failure_count, :failure_count), next_reminder_at = NULL
                        WHERE id = :id RETURNING\s""" + COLUMNS)
                .bind("id", incident.id())
                .bind("ended_at", time(endedAt))
                .bind("failure_count", outage.failureCount())
                .map((row, context) -> incident(row))
                .one();
        note(handle, incident.id(), endedAt, "closed", null);
        if (incident.held()) {
            // Nobody heard that it began, so nobody needs to hear that it is over.
            outbox.drop(handle, incident.id());
        } else {
            outbox.add(handle, closed.alert(Alert.Kind.CLOSED, 0), closed.channels(), false);
        }
        return closed;
    }

    private static Incident insert(Handle handle, Monitor monitor, Outage outage, boolean held) {
        Duration remindEvery = monitor.remindEvery();
        Incident incident = handle.createQuery("""
                        INSERT INTO monitors_incidents (monitor_id, monitor_name, monitor_target, started_at,
                            failure_count, error, channels, held, next_reminder_at)
                        VALUES (:monitor_id, :name, :target, :started_at, :failure_count, :error, :channels, :held,
                            cast(:next_reminder_at AS timestamptz))
                        RETURNING\s""" + COLUMNS)
                .bind("monitor_id", monitor.id())
                .bind("name", monitor.name())
                .bind("target", monitor.shownTarget())
                .bind("started_at", time(outage.startedAt()))
                .bind("failure_count", outage.failureCount())
                .bind("error", outage.error())
                .bindArray("channels", String.class, List.copyOf(monitor.alerts()))
                .bind("held", held)
                .bind(
                        "next_reminder_at",
                        remindEvery == null ? null : time(outage.startedAt().plus(remindEvery)))
                .map((row, context) -> incident(row))
                .one();
        note(handle, incident.id(), outage.startedAt(), "opened", outage.error());
        if (held) {
            note(handle, incident.id(), outage.startedAt(), "held", String.join(", ", monitor.dependsOn()));
        }
        return incident;
    }

    /** Newest first, those with a smaller number than {@code before}. */
    List<Incident> list(boolean openOnly, @Nullable String monitor, long before, int limit) {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM monitors_incidents
                        WHERE id < :before AND (NOT :open_only OR ended_at IS NULL)
                            AND (cast(:monitor AS text) IS NULL OR monitor_id = :monitor)
                        ORDER BY id DESC LIMIT :limit""")
                .bind("before", before)
                .bind("open_only", openOnly)
                .bind("monitor", monitor)
                .bind("limit", limit)
                .map((row, context) -> incident(row))
                .list());
    }

    Optional<Incident> find(long id) {
        return database.withHandle(
                handle -> handle.createQuery("SELECT " + COLUMNS + " FROM monitors_incidents WHERE id = :id")
                        .bind("id", id)
                        .map((row, context) -> incident(row))
                        .findOne());
    }

    /** What happened to each of these, by number, in the order of time. */
    Map<Long, List<Incident.Event>> events(Collection<Long> ids) {
        Map<Long, List<Incident.Event>> events = new HashMap<>();
        database.useHandle(handle -> handle.createQuery("""
                        SELECT incident_id, at, kind, detail FROM monitors_incident_events
                        WHERE incident_id = ANY(:ids) ORDER BY at""")
                .bindArray("ids", Long.class, List.copyOf(ids))
                .map((row, context) -> Map.entry(
                        row.getLong("incident_id"),
                        new Incident.Event(
                                row.getObject("at", OffsetDateTime.class).toInstant(),
                                row.getString("kind"),
                                row.getString("detail"))))
                .forEach(entry -> events.computeIfAbsent(entry.getKey(), id -> new ArrayList<>())
                        .add(entry.getValue())));
        return events;
    }

    /** The open incidents of these monitors. */
    List<Incident> open(Collection<String> monitors) {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS
                        + " FROM monitors_incidents WHERE ended_at IS NULL AND monitor_id = ANY(:monitors)")
                .bindArray("monitors", String.class, List.copyOf(monitors))
                .map((row, context) -> incident(row))
                .list());
    }

    /** The monitors that have an open incident. */
    List<String> monitorsInTrouble() {
        return database.withHandle(
                handle -> handle.createQuery("SELECT monitor_id FROM monitors_incidents WHERE ended_at IS NULL")
                        .mapTo(String.class)
                        .list());
    }

    /** The open incidents whose alerts wait, in the order of their numbers, those after this one. */
    List<Incident> held(long after, int limit) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT " + COLUMNS
                                + " FROM monitors_incidents WHERE ended_at IS NULL AND held AND id > :after ORDER BY id LIMIT :limit")
                .bind("after", after)
                .bind("limit", limit)
                .map((row, context) -> incident(row))
                .list());
    }

    /** When the last incident of each of these monitors ended, if one has. */
    Map<String, Instant> lastEnds(Collection<String> monitors) {
        Map<String, Instant> ends = new HashMap<>();
        database.useHandle(handle -> handle.createQuery("""
                        SELECT monitor_id, max(ended_at) AS ended_at FROM monitors_incidents
                        WHERE monitor_id = ANY(:monitors) AND ended_at IS NOT NULL GROUP BY monitor_id""")
                .bindArray("monitors", String.class, List.copyOf(monitors))
                .map((row, context) -> Map.entry(
                        row.getString("monitor_id"),
                        row.getObject("ended_at", OffsetDateTime.class).toInstant()))
                .forEach(entry -> ends.put(entry.getKey(), entry.getValue())));
        return ends;
    }

    /** Lets the alerts of a held incident go, if it is still open. */
    boolean release(long id, Instant at) {
        return database.inTransaction(handle -> {
            int changed = handle.createUpdate(
                            "UPDATE monitors_incidents SET held = false WHERE id = :id AND held AND ended_at IS NULL")
                    .bind("id", id)
                    .execute();
            if (changed > 0) {
                outbox.release(handle, id);
                note(handle, id, at, "released", null);
            }
            return changed > 0;
        });
    }

    /** False where there is no such incident; an acknowledged one stays as it is. */
    boolean acknowledge(long id, String by, Instant at) {
        return database.inTransaction(handle -> {
            int changed = handle.createUpdate("""
                            UPDATE monitors_incidents SET acknowledged_at = :at, acknowledged_by = :by
                            WHERE id = :id AND acknowledged_at IS NULL""")
                    .bind("id", id)
                    .bind("at", time(at))
                    .bind("by", by)
                    .execute();
            if (changed > 0) {
                note(handle, id, at, "acknowledged", by);
            }
            return changed > 0 || find(handle, id).isPresent();
        });
    }

    /** Open incidents that should be told again by now. */
    List<Incident> dueReminders(Instant now) {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM monitors_incidents
                        WHERE ended_at IS NULL AND NOT held AND acknowledged_at IS NULL AND next_reminder_at <= :now
                        ORDER BY next_reminder_at LIMIT 1000""")
                .bind("now", time(now))
                .map((row, context) -> incident(row))
                .list());
    }

    /**
     * Tells an incident again, unless it was meanwhile; or, without telling, puts it off.
     *
     * @param every null when its monitor wants none any more
     */
    void remind(Incident incident, boolean tell, @Nullable Duration every, long failureCount, Instant now) {
        database.useTransaction(handle -> {
            int sequence = incident.reminders() + (tell ? 1 : 0);
            int changed = handle.createUpdate("""
                            UPDATE monitors_incidents SET reminders = :sequence,
                                failure_count = greatest(failure_count, :failure_count),
                                next_reminder_at = cast(:next AS timestamptz)
                            WHERE id = :id AND reminders = :before AND ended_at IS NULL""")
                    .bind("id", incident.id())
                    .bind("sequence", sequence)
                    .bind("before", incident.reminders())
                    .bind("failure_count", failureCount)
                    .bind("next", every == null ? null : time(now.plus(every)))
                    .execute();
            if (changed > 0 && tell) {
                Incident told = find(handle, incident.id()).orElseThrow();
                outbox.add(handle, told.alert(Alert.Kind.REMINDER, sequence), told.channels(), false);
                note(handle, incident.id(), now, "reminded", null);
            }
        });
    }

    /** Ends the incident of a monitor that was deleted; nobody is told. */
    void abandon(String monitor, Instant at) {
        database.useTransaction(handle -> {
            lock(handle, monitor);
            for (Incident incident : open(handle, monitor).stream().toList()) {
                handle.createUpdate("""
                                UPDATE monitors_incidents SET ended_at = greatest(:at, started_at), held = false
                                WHERE id = :id""")
                        .bind("id", incident.id())
                        .bind("at", time(at))
                        .execute();
                outbox.drop(handle, incident.id());
                note(handle, incident.id(), at, "abandoned", "the monitor was deleted");
            }
        });
    }

    // What a transaction has looked at stays as it is until it ends: its alerts may be released at the same time.

    private static Optional<Incident> find(Handle handle, long id) {
        return handle.createQuery("SELECT " + COLUMNS + " FROM monitors_incidents WHERE id = :id FOR UPDATE")
                .bind("id", id)
                .map((row, context) -> incident(row))
                .findOne();
    }

    private static Optional<Incident> open(Handle handle, String monitor) {
        return handle.createQuery("SELECT " + COLUMNS
                        + " FROM monitors_incidents WHERE monitor_id = :monitor AND ended_at IS NULL FOR UPDATE")
                .bind("monitor", monitor)
                .map((row, context) -> incident(row))
                .findOne();
    }

    private static Optional<Incident> of(Handle handle, String monitor, Instant startedAt) {
        return handle.createQuery(
                        "SELECT " + COLUMNS
                                + " FROM monitors_incidents WHERE monitor_id = :monitor AND started_at = :started_at FOR UPDATE")
                .bind("monitor", monitor)
                .bind("started_at", time(startedAt))
                .map((row, context) -> incident(row))
                .findOne();
    }

    /** Whether one of these monitors was down at some time of an outage that is over. */
    private static boolean overlaps(Handle handle, List<String> monitors, Outage outage) {
        return handle.createQuery("""
                        SELECT EXISTS (SELECT FROM monitors_incidents WHERE monitor_id = ANY(:monitors)
                            AND started_at <= :ended_at AND coalesce(ended_at, 'infinity') >= :started_at)""")
                .bindArray("monitors", String.class, monitors)
                .bind("started_at", time(outage.startedAt()))
                .bind("ended_at", time(outage.endedAt() == null ? outage.startedAt() : outage.endedAt()))
                .mapTo(boolean.class)
                .one();
    }

    /** One writer a monitor at a time, until the transaction ends; two instances may tell the same outage. */
    private static void lock(Handle handle, String monitor) {
        handle.createQuery("SELECT 1 FROM pg_advisory_xact_lock(hashtext('monitor'), hashtext(:monitor))")
                .bind("monitor", monitor)
                .mapTo(int.class)
                .one();
    }

    private static void note(Handle handle, long incident, Instant at, String kind, @Nullable String detail) {
        handle.createUpdate("""
                        INSERT INTO monitors_incident_events (incident_id, at, kind, detail)
                        VALUES (:incident, :at, :kind, :detail)""")
                .bind("incident", incident)
                .bind("at", time(at))
                .bind("kind", kind)
                .bind("detail", detail)
                .execute();
    }

    private static Incident incident(ResultSet row) throws SQLException {
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

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
