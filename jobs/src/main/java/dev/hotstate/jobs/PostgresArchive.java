package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.store.Database;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * What happened, applied. A transition may come twice, and an older one after a newer. What is of another epoch than the
 * job's is passed over.
 */
final class PostgresArchive {
    private static final String BEGUN = """
            UPDATE jobs_jobs SET published = true,
                status = CASE WHEN fresh.started_at IS NULL THEN jobs_jobs.status ELSE 'RUNNING' END,
                started_at = coalesce(jobs_jobs.started_at, to_timestamp(fresh.started_at / 1000.0))
            FROM unnest(?::text[], ?::integer[], ?::bigint[]) AS fresh (job_id, epoch, started_at)
            WHERE jobs_jobs.id = fresh.job_id AND jobs_jobs.epoch = fresh.epoch
                AND jobs_jobs.status IN ('PENDING', 'RUNNING')
                AND NOT (jobs_jobs.published AND (jobs_jobs.status = 'RUNNING' OR fresh.started_at IS NULL))""";

    /** Redis has counted a job's tasks already; where it is not Redis that tells of the end, they are counted here. */
    private static final String ENDED = """
            UPDATE jobs_jobs SET published = true, told = true, intent = 'none', status = fresh.status,
                started_at = coalesce(jobs_jobs.started_at, to_timestamp(fresh.started_at / 1000.0)),
                finished_at = to_timestamp(fresh.at / 1000.0), retired = false,
                succeeded = coalesce(fresh.succeeded, counted.succeeded), failed = coalesce(fresh.failed, counted.failed),
                skipped = coalesce(fresh.skipped, counted.skipped)
            FROM unnest(?::text[], ?::integer[], ?::text[], ?::bigint[], ?::bigint[], ?::integer[], ?::integer[],
                    ?::integer[])
                AS fresh (job_id, epoch, status, started_at, at, succeeded, failed, skipped)
            CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE status = 'SUCCEEDED') AS succeeded,
                    count(*) FILTER (WHERE status = 'FAILED') AS failed,
                    count(*) FILTER (WHERE status = 'SKIPPED') AS skipped
                FROM jobs_tasks_of(fresh.job_id) WHERE fresh.succeeded IS NULL) AS counted
            WHERE jobs_jobs.id = fresh.job_id AND jobs_jobs.epoch = fresh.epoch
                AND jobs_jobs.status IN ('PENDING', 'RUNNING')
            RETURNING jobs_jobs.id, jobs_jobs.number, jobs_jobs.epoch,
                jobs_jobs.status = 'CANCELLED' OR EXISTS (SELECT FROM jobs_history
                    WHERE job = jobs_jobs.number AND epoch = jobs_jobs.epoch AND true = ANY (logged)) AS logged""";

    private final Database database;

    PostgresArchive(Database database) {
        this.database = database;
    }

    /** @param logged whether any of its tasks has; of a cancelled one nobody knows */
    record EndedJob(String id, long number, int epoch, boolean logged) {}

    /** All of it or nothing; answers the jobs that have ended by it. */
    List<EndedJob> apply(List<Transition> transitions) {
        List<Transition> tasks = new ArrayList<>();
        // In the order of ids, or two writers could each wait for the other.
        Map<String, Transition> begun = new TreeMap<>();
        Map<String, Transition> ended = new TreeMap<>();
        for (Transition transition : transitions) {
            if (!transition.taskId().isEmpty()) {
                tasks.add(transition);
            } else if (JobStatus.valueOf(transition.state()).isTerminal()) {
                ended.merge(transition.jobId(), transition, LATER);
            } else {
                begun.merge(transition.jobId(), transition, LATER);
            }
        }
        begun.values().removeIf(job -> tellsAll(ended.get(job.jobId()), job.epoch()));
        if (transitions.isEmpty()) {
            return List.of();
        }
        return database.inTransaction(handle -> {
            PostgresHistory.add(handle, tasks);
            begin(handle, begun.values());
            return end(handle, ended.values());
        });
    }

    /** Whether a job's end says when it began, too: then its row is written once. */
    private static boolean tellsAll(@Nullable Transition end, int epoch) {
        return end != null && end.epoch() == epoch && end.startedAt() != null;
    }

    /** A job of which nothing is left to do, as it was found when it was to be loaded. */
    void finish(String job, int epoch, JobStatus status, Instant at) {
        apply(List.of(new Transition(job, "", epoch, 0, status.name(), at, null, null, null, null, false)));
    }

    private static final BinaryOperator<Transition> LATER = BinaryOperator.maxBy(
            Comparator.comparingInt(Transition::epoch).thenComparing(transition -> begun(transition) != null));

    private static void begin(Handle handle, Collection<Transition> jobs) {
        if (!jobs.isEmpty()) {
            bound(handle.createUpdate(BEGUN), jobs, List.of(JOB, EPOCH, new Values(Long.class, PostgresArchive::begun)))
                    .execute();
        }
    }

    private static List<EndedJob> end(Handle handle, Collection<Transition> jobs) {
        return jobs.isEmpty()
                ? List.of()
                : bound(
                                handle.createQuery(ENDED),
                                jobs,
                                List.of(JOB, EPOCH, STATE, STARTED, AT, SUCCEEDED, FAILED, SKIPPED))
                        .map((row, context) -> new EndedJob(
                                row.getString("id"),
                                row.getLong("number"),
                                row.getInt("epoch"),
                                row.getBoolean("logged")))
                        .list();
    }

    /** A column of what a statement is given. */
    private record Values(Class<?> type, Function<Transition, @Nullable Object> value) {}

    private static final Values JOB = new Values(String.class, Transition::jobId);
    private static final Values EPOCH = new Values(Integer.class, Transition::epoch);
    private static final Values STATE = new Values(String.class, Transition::state);
    private static final Values STARTED = new Values(Long.class, job -> ms(job.startedAt()));
    private static final Values AT = new Values(Long.class, job -> ms(job.at()));
    private static final Values SUCCEEDED = counted(0);
    private static final Values FAILED = counted(1);
    private static final Values SKIPPED = counted(2);

    private static Values counted(int place) {
        return new Values(
                Integer.class,
                job -> job.result() == null
                        ? null
                        : Integer.valueOf(job.result().split(" ")[place]));
    }

    private static <S extends SqlStatement<S>> S bound(S statement, Collection<Transition> jobs, List<Values> columns) {
        int at = 0;
        for (Values column : columns) {
            List<@Nullable Object> values = new ArrayList<>(jobs.size());
            jobs.forEach(job -> values.add(column.value().apply(job)));
            statement.bindArray(at++, column.type(), values);
        }
        return statement;
    }

    /** When the job's first task was taken; null where that is yet to come. */
    private static @Nullable Long begun(Transition job) {
        boolean running = job.state().equals(JobStatus.RUNNING.name());
        return ms(job.startedAt() == null && running ? job.at() : job.startedAt());
    }

    private static @Nullable Long ms(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }
}
