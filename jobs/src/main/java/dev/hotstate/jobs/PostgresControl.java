package dev.hotstate.jobs;

import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.store.Database;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What people decide about a job, in PostgreSQL before Redis hears of it. */
final class PostgresControl {
    private final Database database;

    PostgresControl(Database database) {
        this.database = database;
    }

    /**
     * @throws UnknownJobException where there is no such job
     * @return the job; one that was cancelled and is to be cancelled again, as it has ended
     * @throws JobStateException where it has ended otherwise, or is to be cancelled
     */
    StoredJob want(String id, Intent intent) {
        return database.inTransaction(handle -> {
            StoredJob job = locked(handle, id);
            if (job.status() == JobStatus.CANCELLED && intent == Intent.CANCEL) {
                return job;
            }
            if (job.hasEnded() || (job.intent() == Intent.CANCEL && intent != Intent.CANCEL)) {
                throw new JobStateException("the job \"" + id + "\" is " + job.shown() + " already");
            }
            set(handle, id, intent);
            return locked(handle, id);
        });
    }

    /** In somebody's transaction; of a job that has ended nothing changes. */
    static void cancel(Handle handle, String id) {
        set(handle, id, Intent.CANCEL);
    }

    private static void set(Handle handle, String id, Intent intent) {
        handle.createUpdate("UPDATE jobs_jobs SET intent = :intent, told = false, look_at = now() + interval '2 s'"
                        + " WHERE id = :id AND " + PostgresJobs.UNFINISHED)
                .bind("id", id)
                .bind("intent", intent.name().toLowerCase(Locale.ROOT))
                .execute();
    }

    /**
     * Redis has heard of what is wanted of the job.
     *
     * @return where something else was decided meanwhile, the job as it is wanted now: Redis is to hear of that too
     */
    Optional<StoredJob> told(StoredJob job) {
        return database.inTransaction(handle -> {
            int agreed = handle.createUpdate(
                            "UPDATE jobs_jobs SET told = true WHERE id = :id AND epoch = :epoch AND intent = :intent")
                    .bind("id", job.id())
                    .bind("epoch", job.epoch())
                    .bind("intent", job.intent().name().toLowerCase(Locale.ROOT))
                    .execute();
            return agreed > 0
                    ? Optional.empty()
                    : PostgresJobs.lock(handle, job.id()).filter(now -> !now.hasEnded());
        });
    }

    /** Redis does not do what is wanted of the job, though it was told: it is to hear of it once more. */
    boolean untold(StoredJob job) {
        return database.withHandle(handle -> handle.createUpdate(
                                "UPDATE jobs_jobs SET told = false, look_at = now() WHERE id = :id AND epoch = :epoch"
                                        + " AND intent = :intent AND told AND look_at < now() AND "
                                        + PostgresJobs.UNFINISHED)
                        .bind("id", job.id())
                        .bind("epoch", job.epoch())
                        .bind("intent", job.intent().name().toLowerCase(Locale.ROOT))
                        .execute())
                > 0;
    }

    /** As far as the archive has told. */
    boolean isCancelled(String id) {
        return database.inTransaction(handle -> locked(handle, id)).status() == JobStatus.CANCELLED;
    }

    /** The job had ended before it could be so; its end is on the way here. */
    void forget(String id, Intent intent) {
        database.useHandle(handle -> handle.createUpdate(
                        "UPDATE jobs_jobs SET intent = 'none' WHERE id = :id AND intent = :intent")
                .bind("id", id)
                .bind("intent", intent.name().toLowerCase(Locale.ROOT))
                .execute());
    }

    /** Redis does not have this epoch of the job: it is to be loaded, once more. */
    boolean unpublished(String id, int epoch) {
        return database.withHandle(handle -> handle.createUpdate(
                                "UPDATE jobs_jobs SET published = false, look_at = now() WHERE id = :id"
                                        + " AND epoch = :epoch AND published AND " + PostgresJobs.UNFINISHED)
                        .bind("id", id)
                        .bind("epoch", epoch)
                        .execute())
                > 0;
    }

    interface Choice {
        Collection<String> tasks(StoredJob job);
    }

    /** A new epoch, in which the chosen tasks are as if they had never run. */
    StoredJob rerun(String id, Choice chosen) {
        return database.inTransaction(handle -> {
            StoredJob job = locked(handle, id);
            if (!job.hasEnded()) {
                throw new JobStateException("the job \"" + id + "\" is " + job.shown() + ", and has not ended");
            }
            List<String> again = List.copyOf(chosen.tasks(job));
            PostgresHistory.carryOver(handle, job, again);
            handle.createUpdate("DELETE FROM jobs_logs WHERE job_id = :id AND task_id = ANY(:tasks)")
                    .bind("id", id)
                    .bindArray("tasks", String.class, again)
                    .execute();
            handle.createUpdate("""
                            UPDATE jobs_jobs SET epoch = epoch + 1, status = 'PENDING', intent = 'none', told = true,
                                published = false, retired = false, start_at = NULL,
                                look_at = now() + interval '2 s' + tasks * interval '0.2 ms',
                                started_at = NULL, finished_at = NULL, succeeded = 0, failed = 0, skipped = 0
                            WHERE id = :id""").bind("id", id).execute();
            return locked(handle, id);
        });
    }

    private static StoredJob locked(Handle handle, String id) {
        return PostgresJobs.lock(handle, id)
                .orElseThrow(() -> new UnknownJobException("there is no job \"" + id + "\""));
    }
}
