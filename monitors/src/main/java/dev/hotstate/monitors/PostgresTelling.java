package dev.hotstate.monitors;

import static dev.hotstate.monitors.PostgresIncidentRows.COLUMNS;
import static dev.hotstate.monitors.PostgresIncidentRows.lock;
import static dev.hotstate.monitors.PostgresIncidentRows.note;
import static dev.hotstate.monitors.PostgresIncidentRows.time;

import dev.hotstate.monitors.RedisOutages.Outage;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.monitors.alert.Alert;
import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/**
 * Tells PostgreSQL of outages. An incident and the alerts about it are written in one transaction, one monitor at a time,
 * and telling the same outages again changes nothing.
 */
final class PostgresTelling {
    private final Database database;
    private final PostgresOutbox outbox;

    PostgresTelling(Database database, PostgresOutbox outbox) {
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
        return PostgresIncidentRows.open(handle, monitor.id())
                .or(() -> PostgresIncidentRows.of(handle, monitor.id(), outage.startedAt()))
                .orElseGet(() -> {
                    boolean held = outage.endedAt() == null
                            ? !monitor.dependsOn().isEmpty()
                            : overlaps(handle, monitor.dependsOn(), outage.startedAt(), outage.endedAt());
                    Incident incident = insert(handle, monitor, outage, held);
                    opened.add(incident);
                    outbox.add(handle, incident.alert(Alert.Kind.OPENED, 0), incident.channels(), held);
                    return incident;
                });
    }

    /** Where the outage was never told, it is told now with its beginning and its end. */
    private void end(Handle handle, Monitor monitor, Outage outage, List<Incident> opened, List<Incident> closed) {
        Optional<Incident> told = outage.incident().isPresent()
                ? PostgresIncidentRows.find(handle, outage.incident().getAsLong())
                        .filter(incident -> incident.monitor().id().equals(monitor.id()))
                : PostgresIncidentRows.of(handle, monitor.id(), outage.startedAt())
                        .or(() -> PostgresIncidentRows.open(handle, monitor.id())
                                .filter(open -> beganBeforeEndOf(outage, open)));
        if (told.isEmpty() && PostgresIncidentRows.open(handle, monitor.id()).isPresent()) {
            // A later outage is open, so this one was told under another beginning.
            return;
        }
        Incident incident = told.orElseGet(() -> begin(handle, monitor, outage, opened));
        if (incident.isOpen()) {
            closed.add(close(handle, monitor, incident, outage));
        }
    }

    private static boolean beganBeforeEndOf(Outage outage, Incident open) {
        return outage.endedAt() != null && !open.startedAt().isAfter(outage.endedAt());
    }

    private Incident close(Handle handle, Monitor monitor, Incident incident, Outage outage) {
        Instant endedAt = outage.endedAt() == null ? outage.startedAt() : outage.endedAt();
        Incident closed = handle.createQuery("""
                        UPDATE monitors_incidents
                        SET ended_at = greatest(:ended_at, started_at), held = false,
                            failure_count = greatest(failure_count, :failure_count), next_reminder_at = NULL
                        WHERE id = :id RETURNING\s""" + COLUMNS)
                .bind("id", incident.id())
                .bind("ended_at", time(endedAt))
                .bind("failure_count", outage.failureCount())
                .map((row, context) -> PostgresIncidentRows.incident(row))
                .one();
        note(handle, incident.id(), endedAt, "closed", null);
        boolean behind = overlaps(handle, monitor.dependsOn(), incident.startedAt(), endedAt)
                || PostgresIncidentRows.isCovered(handle, incident.id());
        if (incident.held() && behind) {
            // Nobody heard that it began, so nobody needs to hear that it is over.
            outbox.drop(handle, incident.id());
            return closed;
        }
        if (incident.held()) {
            // It was over before its parents had said how they are; and none of them was down, so it was its own.
            outbox.release(handle, incident.id());
            note(handle, incident.id(), endedAt, "released", null);
        }
        outbox.add(handle, closed.alert(Alert.Kind.CLOSED, 0), closed.channels(), false);
        return closed;
    }

    private static Incident insert(Handle handle, Monitor monitor, Outage outage, boolean held) {
        Duration remindEvery = monitor.remindEvery();
        Incident incident = handle.createQuery("""
                        INSERT INTO monitors_incidents (monitor_id, monitor_name, monitor_target, started_at,
                            failure_count, error, channels, held, next_reminder_at)
                        VALUES (:monitor_id, :name, :target, :started_at, :failure_count, :error, :channels, :held,
                            greatest(:started_at, now()) + cast(:remind_every_ms AS bigint) * interval '1 ms')
                        RETURNING\s""" + COLUMNS)
                .bind("monitor_id", monitor.id())
                .bind("name", monitor.name())
                .bind("target", monitor.shownTarget())
                .bind("started_at", time(outage.startedAt()))
                .bind("failure_count", outage.failureCount())
                .bind("error", outage.error())
                .bindArray("channels", String.class, List.copyOf(monitor.alerts()))
                .bind("held", held)
                // From when it is told on, which may be long after it began.
                .bind("remind_every_ms", remindEvery == null ? null : remindEvery.toMillis())
                .map((row, context) -> PostgresIncidentRows.incident(row))
                .one();
        note(handle, incident.id(), outage.startedAt(), "opened", outage.error());
        if (held) {
            note(handle, incident.id(), outage.startedAt(), "held", String.join(", ", monitor.dependsOn()));
        }
        return incident;
    }

    /** Whether one of these monitors was down at some time of an outage that is over. */
    private static boolean overlaps(Handle handle, List<String> monitors, Instant startedAt, Instant endedAt) {
        return handle.createQuery("""
                        SELECT EXISTS (SELECT FROM monitors_incidents WHERE monitor_id = ANY(:monitors)
                            AND started_at <= :ended_at AND coalesce(ended_at, 'infinity') >= :started_at)""")
                .bindArray("monitors", String.class, monitors)
                .bind("started_at", time(startedAt))
                .bind("ended_at", time(endedAt))
                .mapTo(boolean.class)
                .one();
    }
}
