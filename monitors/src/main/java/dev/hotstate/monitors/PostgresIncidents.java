package dev.hotstate.monitors;

import static dev.hotstate.monitors.PostgresIncidentRows.COLUMNS;
import static dev.hotstate.monitors.PostgresIncidentRows.lock;
import static dev.hotstate.monitors.PostgresIncidentRows.note;
import static dev.hotstate.monitors.PostgresIncidentRows.time;

import dev.hotstate.monitors.alert.Alert;
import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Incidents in PostgreSQL once they are told: read, acknowledged, released, reminded of, abandoned. */
final class PostgresIncidents {
    private static final int PURGED_AT_ONCE = 1_000;

    private final Database database;
    private final PostgresOutbox outbox;

    PostgresIncidents(Database database, PostgresOutbox outbox) {
        this.database = database;
        this.outbox = outbox;
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
                .map((row, context) -> PostgresIncidentRows.incident(row))
                .list());
    }

    /** Newest first, of monitors that are there and not hidden: the open ones, or those that are over and began since. */
    List<Incident> shown(boolean open, Instant since, Collection<String> hidden, int limit) {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM monitors_incidents
                        WHERE (ended_at IS NULL) = :open AND started_at >= :since AND monitor_id <> ALL(:hidden)
                            AND EXISTS (SELECT FROM monitors_definitions d WHERE d.id = monitor_id AND NOT d.deleted)
                        ORDER BY id DESC LIMIT :limit""")
                .bind("open", open)
                .bind("since", time(since))
                .bindArray("hidden", String.class, List.copyOf(hidden))
                .bind("limit", limit)
                .map((row, context) -> PostgresIncidentRows.incident(row))
                .list());
    }

    Optional<Incident> find(long id) {
        return database.withHandle(
                handle -> handle.createQuery("SELECT " + COLUMNS + " FROM monitors_incidents WHERE id = :id")
                        .bind("id", id)
                        .map((row, context) -> PostgresIncidentRows.incident(row))
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
                .map((row, context) -> PostgresIncidentRows.incident(row))
                .list());
    }

    /** Those of these numbers whose incidents are over. */
    List<Long> closed(Collection<Long> ids) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT id FROM monitors_incidents WHERE id = ANY(:ids) AND ended_at IS NOT NULL")
                .bindArray("ids", Long.class, List.copyOf(ids))
                .mapTo(Long.class)
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
                .map((row, context) -> PostgresIncidentRows.incident(row))
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

    /** Notes of held incidents that a monitor which they depend on fails in its maintenance, and when that was last seen. */
    void cover(Collection<Long> ids, Instant at) {
        if (!ids.isEmpty()) {
            database.useHandle(handle -> PostgresIncidentRows.cover(handle, ids, at));
        }
    }

    /** When {@link #cover} was last noted of them. */
    Map<Long, Instant> coveredUntil(Collection<Long> ids) {
        return database.withHandle(handle -> PostgresIncidentRows.coveredUntil(handle, ids));
    }

    /**
     * Lets the alerts of a held incident go, if it is still open.
     *
     * @param remindEvery from then on; null where nobody wants to be reminded
     */
    boolean release(long id, Instant at, @Nullable Duration remindEvery) {
        return database.inTransaction(handle -> {
            int changed = handle.createUpdate("""
                            UPDATE monitors_incidents SET held = false, next_reminder_at = greatest(next_reminder_at,
                                :at + cast(:remind_every_ms AS bigint) * interval '1 ms')
                            WHERE id = :id AND held AND ended_at IS NULL""")
                    .bind("id", id)
                    .bind("at", time(at))
                    .bind("remind_every_ms", remindEvery == null ? null : remindEvery.toMillis())
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
            return changed > 0 || PostgresIncidentRows.find(handle, id).isPresent();
        });
    }

    /** Open incidents that nobody is to be reminded of, as far as was known when they were last looked at. */
    List<Incident> neverReminded() {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM monitors_incidents
                        WHERE ended_at IS NULL AND NOT held AND acknowledged_at IS NULL AND next_reminder_at IS NULL
                        ORDER BY id LIMIT 1000""")
                .map((row, context) -> PostgresIncidentRows.incident(row))
                .list());
    }

    /** Has an open incident told again from then on, if nothing was said about that. */
    void remindFrom(long id, Instant next) {
        database.useHandle(handle ->
                handle.createUpdate("""
                        UPDATE monitors_incidents SET next_reminder_at = :next
                        WHERE id = :id AND ended_at IS NULL AND next_reminder_at IS NULL""").bind("id", id).bind("next", time(next)).execute());
    }

    /** Open incidents that should be told again by now. */
    List<Incident> dueReminders(Instant now) {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS + """
                         FROM monitors_incidents
                        WHERE ended_at IS NULL AND NOT held AND acknowledged_at IS NULL AND next_reminder_at <= :now
                        ORDER BY next_reminder_at LIMIT 1000""")
                .bind("now", time(now))
                .map((row, context) -> PostgresIncidentRows.incident(row))
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
                Incident told = PostgresIncidentRows.find(handle, incident.id()).orElseThrow();
                outbox.add(handle, told.alert(Alert.Kind.REMINDER, sequence), told.channels(), false);
                note(handle, incident.id(), now, "reminded", null);
            }
        });
    }

    /**
     * Forgets incidents that ended before that time, with all that happened to them.
     *
     * @return how many
     */
    int purge(Instant before) {
        int all = 0;
        int purged;
        do {
            purged = database.withHandle(handle -> handle.createUpdate("""
                            DELETE FROM monitors_incidents WHERE id IN (
                                SELECT id FROM monitors_incidents WHERE ended_at < :before LIMIT :most)""")
                    .bind("before", time(before))
                    .bind("most", PURGED_AT_ONCE)
                    .execute());
            all += purged;
        } while (purged == PURGED_AT_ONCE);
        return all;
    }

    /** Ends the incident of a monitor that was deleted; nobody is told. */
    void abandon(String monitor, Instant at) {
        database.useTransaction(handle -> {
            lock(handle, monitor);
            abandon(handle, List.of(monitor), at);
        });
    }

    /** As {@link #abandon(String, Instant)}, of several, within the transaction that deletes them or makes others anew. */
    void abandon(Handle handle, Collection<String> monitors, Instant at) {
        List<Long> abandoned = handle.createQuery("""
                        UPDATE monitors_incidents SET ended_at = greatest(:at, started_at), held = false
                        WHERE monitor_id = ANY(:monitors) AND ended_at IS NULL RETURNING id""")
                .bind("at", time(at))
                .bindArray("monitors", String.class, List.copyOf(monitors))
                .mapTo(Long.class)
                .list();
        for (long incident : abandoned) {
            outbox.drop(handle, incident);
            note(handle, incident, at, "abandoned", "the monitor was deleted");
        }
    }
}
