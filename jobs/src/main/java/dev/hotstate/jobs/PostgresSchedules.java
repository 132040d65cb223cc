package dev.hotstate.jobs;

import static dev.hotstate.jobs.PostgresTimes.instant;
import static dev.hotstate.jobs.PostgresTimes.instantOrNull;
import static dev.hotstate.jobs.PostgresTimes.time;
import static dev.hotstate.jobs.PostgresTimes.timeOrNull;

import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.jobs.graph.JobDocument;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Schedules in PostgreSQL. */
final class PostgresSchedules {
    private static final Logger log = LoggerFactory.getLogger(PostgresSchedules.class);
    private static final String COLUMNS =
            "SELECT id, document, next_at, last_at, last_job, created_at, updated_at FROM jobs_schedules";

    private final Database database;
    /** Those that cannot be read are met every second, and told of once. */
    private final Set<String> toldOf = ConcurrentHashMap.newKeySet();

    PostgresSchedules(Database database) {
        this.database = database;
    }

    /** In the order in which Java compares ids, as who goes on after one of them does, whatever the database sorts by. */
    List<ScheduleView> list() {
        return database.withHandle(handle ->
                handle.createQuery(COLUMNS + " ORDER BY id COLLATE \"C\"").map((row, context) -> view(row)).stream()
                        .flatMap(Optional::stream)
                        .toList());
    }

    Optional<ScheduleView> find(String id) {
        return database.withHandle(handle -> handle.createQuery(COLUMNS + " WHERE id = :id")
                .bind("id", id)
                .map((row, context) -> view(row))
                .findOne()
                .flatMap(known -> known));
    }

    void put(Schedule schedule, @Nullable Instant next, Instant at) {
        database.useHandle(handle -> handle.createUpdate("""
                        INSERT INTO jobs_schedules (id, document, next_at, created_at, updated_at)
                        VALUES (:id, :document, cast(:next AS timestamptz), :at, :at)
                        ON CONFLICT (id) DO UPDATE SET document = excluded.document, next_at = excluded.next_at,
                            updated_at = excluded.updated_at""")
                .bind("id", schedule.id())
                .bind("document", ScheduleDocument.write(schedule))
                .bind("next", timeOrNull(next))
                .bind("at", time(at))
                .execute());
    }

    boolean delete(String id) {
        return database.withHandle(handle -> handle.execute("DELETE FROM jobs_schedules WHERE id = ?", id)) > 0;
    }

    interface Work {
        /** @return what was made, for whoever is told after the commit */
        List<StoredJob> with(Firing firing);
    }

    record Fired(String schedule, List<StoredJob> jobs) {}

    /** One that is due, which nobody else works on meanwhile; empty where there is none after that id. */
    Optional<Fired> one(Instant now, String after, Work work) {
        return database.inTransaction(handle -> handle.createQuery(
                        COLUMNS + " WHERE next_at <= :now AND id > :after ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED")
                .bind("now", time(now))
                .bind("after", after)
                .map((row, context) -> new Due(row.getString("id"), view(row)))
                .findOne()
                .map(due -> new Fired(
                        due.id,
                        due.view
                                .map(known -> work.with(new Firing(handle, known, now)))
                                .orElse(List.of()))));
    }

    private record Due(String id, Optional<ScheduleView> view) {}

    /** What holds a schedule that is due: all that is done with it is of one transaction. */
    record Firing(Handle handle, ScheduleView due, Instant now) {

        /** The jobs of the schedule that have not ended, the newest first. */
        List<String> unfinished() {
            return handle.createQuery("SELECT id FROM jobs_jobs WHERE schedule = :schedule AND "
                            + PostgresJobs.UNFINISHED + " AND intent <> 'cancel' ORDER BY number DESC")
                    .bind("schedule", due.schedule().id())
                    .mapTo(String.class)
                    .list();
        }

        void cancel(String job) {
            PostgresControl.cancel(handle, job);
        }

        /** The job, or the one that is there already under its id. */
        StoredJob make(JobSpec job) {
            return PostgresJobs.insert(
                            handle,
                            job,
                            JobDocument.write(job),
                            now,
                            due.schedule().id())
                    .job();
        }

        /** @param job the last one that was made; null where none was */
        void move(@Nullable Instant next, Instant last, @Nullable String job) {
            handle.createUpdate("""
                            UPDATE jobs_schedules SET next_at = cast(:next AS timestamptz), last_at = :last,
                                last_job = coalesce(cast(:job AS text), last_job)
                            WHERE id = :id""")
                    .bind("id", due.schedule().id())
                    .bind("next", timeOrNull(next))
                    .bind("last", time(last))
                    .bind("job", job)
                    .execute();
        }
    }

    /** Empty where it cannot be read: the others are seen to all the same. */
    private Optional<ScheduleView> view(ResultSet row) throws SQLException {
        String id = row.getString("id");
        try {
            return Optional.of(new ScheduleView(
                    ScheduleDocument.stored(id, row.getString("document")),
                    instantOrNull(row, "next_at"),
                    instantOrNull(row, "last_at"),
                    row.getString("last_job"),
                    instant(row, "created_at"),
                    instant(row, "updated_at")));
        } catch (InvalidDocumentException unreadable) {
            if (toldOf.add(id)) {
                log.error("The schedule {} cannot be read, and makes no jobs: {}", id, unreadable.getMessage());
            }
            return Optional.empty();
        }
    }
}
