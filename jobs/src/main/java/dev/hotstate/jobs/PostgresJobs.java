package dev.hotstate.jobs;

import static dev.hotstate.jobs.PostgresTimes.instant;
import static dev.hotstate.jobs.PostgresTimes.instantOrNull;
import static dev.hotstate.jobs.PostgresTimes.time;

import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.JobDocument;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.store.Database;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Jobs in PostgreSQL: submitted, found, listed. */
final class PostgresJobs {
    static final String COLUMNS = """
            id, number, name, created_by, priority, queue, tasks, epoch, status, intent, told, published, succeeded,
            failed, skipped, created_at, start_at, started_at, finished_at""";
    static final String UNFINISHED = "status IN ('PENDING', 'RUNNING')";

    private final Database database;

    PostgresJobs(Database database) {
        this.database = database;
    }

    /** @param created false where the id or the key was there already, of which this is the job */
    record Inserted(StoredJob job, boolean created) {}

    Inserted insert(JobSpec job, Instant at) {
        String document = JobDocument.write(job);
        return database.withHandle(handle -> insert(handle, job, document, at, null));
    }

    /** @param schedule which made it; null where none did */
    static Inserted insert(Handle handle, JobSpec job, String document, Instant at, @Nullable String schedule) {
        return handle.createQuery("""
                        INSERT INTO jobs_jobs (id, hash, name, created_by, idempotency_key, schedule, priority, queue,
                            tasks, created_at, start_at, look_at, document)
                        VALUES (:id, :hash, :name, :created_by, :key, :schedule, :priority, :queue,
                            :tasks, :created_at, cast(:start_at AS timestamptz),
                            now() + interval '2 s' + :tasks * interval '0.2 ms', :document)
                        ON CONFLICT DO NOTHING RETURNING\s""" + COLUMNS)
                .bind("id", job.id())
                .bind("hash", hash(job.id()))
                .bind("name", job.name())
                .bind("created_by", job.createdBy())
                .bind("key", job.idempotencyKey())
                .bind("schedule", schedule)
                .bind("priority", job.priority())
                .bind("queue", job.queue())
                .bind("tasks", job.tasks().size())
                .bind("created_at", time(at))
                .bind("start_at", job.delay().isZero() ? null : time(at.plus(job.delay())))
                .bind("document", document)
                .map((row, context) -> job(row))
                .findOne()
                .map(made -> new Inserted(made, true))
                .orElseGet(() -> new Inserted(same(handle, job), false));
    }

    Optional<StoredJob> find(String id) {
        return database.withHandle(handle -> find(handle, id, ""));
    }

    /** Nobody changes it until the transaction ends. */
    static Optional<StoredJob> lock(Handle handle, String id) {
        return find(handle, id, " FOR UPDATE");
    }

    /** The graph of a job, as it was submitted; not that of another which has its id now. */
    Optional<String> document(String id, long number) {
        return database.withHandle(
                handle -> handle.createQuery("SELECT document FROM jobs_jobs WHERE id = :id AND number = :number")
                        .bind("id", id)
                        .bind("number", number)
                        .mapTo(String.class)
                        .findOne());
    }

    /** Newest first, those before that number. */
    List<StoredJob> list(@Nullable JobStatus status, @Nullable String q, int limit, long before) {
        return newest(shown(status), q, limit, before);
    }

    /** Those of them that have not ended, as far as is known here. */
    List<StoredJob> listUnfinished(@Nullable String q, int limit, long before) {
        return newest(UNFINISHED, q, limit, before);
    }

    private List<StoredJob> newest(String condition, @Nullable String q, int limit, long before) {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS + " FROM jobs_jobs"
                        + " WHERE number < :before AND " + condition
                        + " AND (cast(:q AS text) IS NULL OR strpos(lower(id), :q) > 0 OR strpos(lower(name), :q) > 0"
                        + " OR strpos(lower(created_by), :q) > 0)"
                        + " ORDER BY number DESC LIMIT :limit")
                .bind("before", before)
                .bind("q", q == null ? null : q.toLowerCase(Locale.ROOT))
                .bind("limit", limit)
                .map((row, context) -> job(row))
                .list());
    }

    /** As StoredJob.shown has it; spelled out, so that an index of some statuses can be used. */
    private static String shown(@Nullable JobStatus status) {
        return switch (status) {
            case null -> "true";
            case PENDING, RUNNING -> UNFINISHED + " AND intent = 'none' AND status = '" + status + "'";
            case PAUSED -> UNFINISHED + " AND intent = 'pause'";
            case CANCELLED -> "(status = 'CANCELLED' OR (" + UNFINISHED + " AND intent = 'cancel'))";
            case SUCCEEDED, FAILED -> "status = '" + status + "'";
        };
    }

    /** In the order of ids, after that one: those of the k-th of n partitions that have not ended. */
    List<StoredJob> unfinished(int partition, int of, String after, int limit) {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS + " FROM jobs_jobs WHERE "
                        + UNFINISHED + " AND id > :after AND hash % :of = :partition ORDER BY id LIMIT :limit")
                .bind("after", after)
                .bind("of", of)
                .bind("partition", partition)
                .bind("limit", limit)
                .map((row, context) -> job(row))
                .list());
    }

    /** In the order of ids, after that one: those that Redis should have had for a minute, and that have not ended. */
    List<StoredJob> underWay(String after, int limit) {
        return database.withHandle(handle -> handle.createQuery("SELECT " + COLUMNS + " FROM jobs_jobs WHERE "
                        + UNFINISHED + " AND id > :after AND published AND look_at < now() - interval '1 min'"
                        + " ORDER BY id LIMIT :limit")
                .bind("after", after)
                .bind("limit", limit)
                .map((row, context) -> job(row))
                .list());
    }

    /**
     * Jobs that Redis should have heard of by now, and has not; for ten seconds, and as long as it takes to load a large
     * one, nobody else is given them.
     */
    List<StoredJob> takeUntold(int limit) {
        return database.withHandle(handle -> handle.createQuery("""
                        UPDATE jobs_jobs SET look_at = now() + interval '10 s' + tasks * interval '0.2 ms'
                        WHERE id IN (SELECT id FROM jobs_jobs
                            WHERE NOT (published AND told) AND look_at < now() AND status IN ('PENDING', 'RUNNING')
                            ORDER BY look_at LIMIT :limit FOR UPDATE SKIP LOCKED)
                        RETURNING\s""" + COLUMNS)
                .bind("limit", limit)
                .map((row, context) -> job(row))
                .list());
    }

    void lookSoon(String id) {
        database.useHandle(handle ->
                handle.execute("UPDATE jobs_jobs SET look_at = now() WHERE id = ? AND NOT (published AND told)", id));
    }

    void published(String id, int epoch) {
        database.useHandle(handle -> handle.createUpdate(
                        "UPDATE jobs_jobs SET published = true WHERE id = :id AND epoch = :epoch AND NOT published")
                .bind("id", id)
                .bind("epoch", epoch)
                .execute());
    }

    /** The same number that decides in which partition a job is. */
    private static long hash(String id) {
        CRC32 crc = new CRC32();
        crc.update(id.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    private static StoredJob same(Handle handle, JobSpec job) {
        return handle.createQuery("SELECT " + COLUMNS
                        + " FROM jobs_jobs WHERE id = :id OR idempotency_key = :key ORDER BY id = :id DESC LIMIT 1")
                .bind("id", job.id())
                .bind("key", job.idempotencyKey())
                .map((row, context) -> job(row))
                .one();
    }

    private static Optional<StoredJob> find(Handle handle, String id, String lock) {
        return handle.createQuery("SELECT " + COLUMNS + " FROM jobs_jobs WHERE id = :id" + lock)
                .bind("id", id)
                .map((row, context) -> job(row))
                .findOne();
    }

    static StoredJob job(ResultSet row) throws SQLException {
        return new StoredJob(
                row.getString("id"),
                row.getLong("number"),
                row.getString("name"),
                row.getString("created_by"),
                row.getInt("priority"),
                row.getString("queue"),
                row.getInt("tasks"),
                row.getInt("epoch"),
                JobStatus.valueOf(row.getString("status")),
                Intent.valueOf(row.getString("intent").toUpperCase(Locale.ROOT)),
                row.getBoolean("told"),
                row.getBoolean("published"),
                row.getInt("succeeded"),
                row.getInt("failed"),
                row.getInt("skipped"),
                instant(row, "created_at"),
                instantOrNull(row, "start_at"),
                instantOrNull(row, "started_at"),
                instantOrNull(row, "finished_at"));
    }
}
