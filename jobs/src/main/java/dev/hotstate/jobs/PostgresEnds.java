package dev.hotstate.jobs;

import static dev.hotstate.jobs.PostgresTimes.time;

import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.store.Batch;
import dev.hotstate.store.Database;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What stays of ended jobs: their logs, and which of them Redis may let go of. */
final class PostgresEnds {
    /** @param first the number of the first line */
    record Log(String task, long first, List<String> lines) {}

    private record Row(String job, Log log) {}

    private static final Batch<Row> LOGS = Batch.<Row>into("jobs_logs")
            .key("job_id", "text", Row::job)
            .key("task_id", "text", row -> row.log().task())
            .column("first", "bigint", row -> row.log().first())
            .column("lines", "text[]", row -> row.log().lines());

    private static final List<String> OF_JOBS = List.of(
            "jobs_history WHERE job IN (SELECT number FROM jobs_jobs WHERE id = ANY (:jobs))",
            "jobs_logs WHERE job_id = ANY (:jobs)",
            "jobs_effects WHERE job_id = ANY (:jobs)",
            "jobs_jobs WHERE id = ANY (:jobs)");

    private final Database database;

    PostgresEnds(Database database) {
        this.database = database;
    }

    /**
     * Jobs that ended a minute ago or longer, and whose keys are still there: whoever should have seen to it did not.
     *
     * @param but so many of the oldest are left out
     */
    List<EndedJob> forgotten(int limit, int but) {
        return database.withHandle(handle -> handle.createQuery("""
                        SELECT id, number, epoch FROM jobs_jobs
                        WHERE NOT retired AND finished_at IS NOT NULL AND finished_at < now() - interval '1 min'
                        ORDER BY finished_at, id LIMIT :limit OFFSET :but""")
                .bind("limit", limit)
                .bind("but", but)
                .map((row, context) ->
                        new EndedJob(row.getString("id"), row.getLong("number"), row.getInt("epoch"), true))
                .list());
    }

    /** Whether it has ended, and is not retired. */
    boolean isUnretired(String job) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT EXISTS (SELECT FROM jobs_jobs WHERE id = :job AND finished_at IS NOT NULL AND NOT retired)")
                .bind("job", job)
                .mapTo(Boolean.class)
                .one());
    }

    /** Whether its logs are here, and Redis may let go of it. */
    boolean isRetired(String job) {
        return database.withHandle(
                handle -> handle.createQuery("SELECT EXISTS (SELECT FROM jobs_jobs WHERE id = :job AND retired)")
                        .bind("job", job)
                        .mapTo(Boolean.class)
                        .one());
    }

    void keep(String job, Collection<Log> logs) {
        database.useHandle(handle ->
                LOGS.upsert(handle, logs.stream().map(log -> new Row(job, log)).toList()));
    }

    /** Of one that was run again meanwhile nothing changes, also if it has ended again. */
    void retired(Collection<EndedJob> jobs) {
        database.useHandle(handle -> handle.createUpdate("""
                        UPDATE jobs_jobs SET retired = true
                        FROM unnest(:jobs::text[], :epochs::integer[]) AS gone (id, epoch)
                        WHERE jobs_jobs.id = gone.id AND jobs_jobs.epoch = gone.epoch AND finished_at IS NOT NULL""")
                .bindArray("jobs", String.class, jobs.stream().map(EndedJob::id).toList())
                .bindArray(
                        "epochs",
                        Integer.class,
                        jobs.stream().map(EndedJob::epoch).toList())
                .execute());
    }

    /**
     * Forgets jobs that ended before that, the oldest first, with all that is known of their tasks: so many at once at
     * most, and fewer where they are large. How many were forgotten.
     */
    int forget(Instant before, int limit, int mostTasks) {
        return database.inTransaction(handle -> {
            List<String> jobs = handle.createQuery("""
                            SELECT id FROM (SELECT id, sum(tasks) OVER (ORDER BY finished_at, id) - tasks AS before_it
                                FROM (SELECT id, tasks, finished_at FROM jobs_jobs WHERE retired AND finished_at < :before
                                    ORDER BY finished_at, id LIMIT :limit FOR UPDATE SKIP LOCKED) AS oldest) AS counted
                            WHERE before_it < :most""")
                    .bind("before", time(before))
                    .bind("limit", limit)
                    .bind("most", mostTasks)
                    .mapTo(String.class)
                    .list();
            for (String those : OF_JOBS) {
                handle.createUpdate("DELETE FROM " + those)
                        .bindArray("jobs", String.class, jobs)
                        .execute();
            }
            return jobs.size();
        });
    }

    Optional<Log> log(String job, String task) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT first, lines FROM jobs_logs WHERE job_id = :job AND task_id = :task")
                .bind("job", job)
                .bind("task", task)
                .map((row, context) -> new Log(task, row.getLong("first"), Arrays.asList((String[])
                        row.getArray("lines").getArray())))
                .findOne());
    }
}
