package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.store.Database;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * What happened, applied. A transition may come twice, and an older one after a newer: of a task the greatest epoch,
 * attempt and state stays, and a success of its epoch for ever. What is of another epoch than the job's is passed over.
 */
final class PostgresArchive {
    private static final String TASKS = """
            INSERT INTO jobs_tasks AS present (job_id, task_id, epoch, attempt, rank, status, logged, started_at,
                finished_at, worker, error, result)
            SELECT fresh.job_id, task_id, fresh.epoch, attempt, rank, fresh.status, logged,
                to_timestamp(fresh.started_at / 1000.0), to_timestamp(fresh.at / 1000.0), worker, error, result
            FROM unnest(?::text[], ?::text[], ?::integer[], ?::integer[], ?::integer[], ?::text[], ?::boolean[],
                ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[])
                AS fresh (job_id, task_id, epoch, attempt, rank, status, logged, started_at, at, worker, error, result)
            JOIN jobs_jobs ON jobs_jobs.id = fresh.job_id AND jobs_jobs.epoch = fresh.epoch
            ON CONFLICT (job_id, task_id) DO UPDATE SET epoch = excluded.epoch, attempt = excluded.attempt,
                rank = excluded.rank, status = excluded.status, logged = present.logged OR excluded.logged,
                started_at = excluded.started_at, finished_at = excluded.finished_at, worker = excluded.worker,
                error = excluded.error, result = excluded.result
            WHERE (excluded.epoch, excluded.attempt, excluded.rank) > (present.epoch, present.attempt, present.rank)
                AND NOT (present.status = 'SUCCEEDED' AND present.epoch = excluded.epoch)""";

    private static final String BEGUN = """
            UPDATE jobs_jobs SET published = true,
                status = CASE WHEN fresh.started_at IS NULL THEN jobs_jobs.status ELSE 'RUNNING' END,
                started_at = coalesce(jobs_jobs.started_at, to_timestamp(fresh.started_at / 1000.0))
            FROM unnest(?::text[], ?::integer[], ?::bigint[]) AS fresh (job_id, epoch, started_at)
            WHERE jobs_jobs.id = fresh.job_id AND jobs_jobs.epoch = fresh.epoch
                AND jobs_jobs.status IN ('PENDING', 'RUNNING')
                AND NOT (jobs_jobs.published AND (jobs_jobs.status = 'RUNNING' OR fresh.started_at IS NULL))""";

    private static final String ENDED = """
            UPDATE jobs_jobs SET published = true, told = true, intent = 'none', status = fresh.status,
                started_at = coalesce(jobs_jobs.started_at, to_timestamp(fresh.started_at / 1000.0)),
                finished_at = to_timestamp(fresh.at / 1000.0), retired = false,
                succeeded = counted.succeeded, failed = counted.failed, skipped = counted.skipped
            FROM unnest(?::text[], ?::integer[], ?::text[], ?::bigint[], ?::bigint[])
                AS fresh (job_id, epoch, status, started_at, at)
            CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE status = 'SUCCEEDED') AS succeeded,
                    count(*) FILTER (WHERE status = 'FAILED') AS failed,
                    count(*) FILTER (WHERE status = 'SKIPPED') AS skipped,
                    coalesce(bool_or(logged), false) AS logged
                FROM jobs_tasks WHERE jobs_tasks.job_id = fresh.job_id) AS counted
            WHERE jobs_jobs.id = fresh.job_id AND jobs_jobs.epoch = fresh.epoch
                AND jobs_jobs.status IN ('PENDING', 'RUNNING')
            RETURNING jobs_jobs.id, jobs_jobs.number, jobs_jobs.epoch, jobs_jobs.status, counted.logged""";

    private final Database database;

    PostgresArchive(Database database) {
        this.database = database;
    }

    /** @param logged whether any of its tasks has; of a cancelled one nobody knows */
    record EndedJob(String id, long number, int epoch, boolean logged) {}

    /** All of it or nothing; answers the jobs that have ended by it. */
    List<EndedJob> apply(List<Transition> transitions) {
        SortedMap<String, SortedMap<String, Transition>> tasks = new TreeMap<>();
        Map<String, Transition> begun = new TreeMap<>();
        Map<String, Transition> ended = new TreeMap<>();
        for (Transition transition : transitions) {
            if (!transition.taskId().isEmpty()) {
                tasks.computeIfAbsent(transition.jobId(), job -> new TreeMap<>())
                        .merge(transition.taskId(), transition, LATER_OF_TASK);
            } else if (JobStatus.valueOf(transition.state()).isTerminal()) {
                ended.merge(transition.jobId(), transition, LATER_OF_JOB);
            } else {
                begun.merge(transition.jobId(), transition, LATER_OF_JOB);
            }
        }
        begun.values().removeIf(job -> tellsAll(ended.get(job.jobId()), job.epoch()));
        if (transitions.isEmpty()) {
            return List.of();
        }
        return database.inTransaction(handle -> {
            // In the order of ids, or two writers could each wait for the other.
            write(
                    handle,
                    TASKS,
                    taskColumns(tasks.values().stream()
                            .flatMap(ofJob -> ofJob.values().stream())
                            .toList()));
            write(handle, BEGUN, begunColumns(begun.values()));
            return end(handle, endedColumns(ended.values()));
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

    private static final Comparator<Transition> OF_JOB =
            Comparator.comparingInt(Transition::epoch).thenComparing(transition -> begun(transition) != null);

    // As the statement has it: a success of an epoch stays, whatever else is said of that epoch.
    private static final Comparator<Transition> OF_TASK = Comparator.comparingInt(Transition::epoch)
            .thenComparing(transition -> transition.state().equals(TaskStatus.SUCCEEDED.name()))
            .thenComparingInt(Transition::attempt)
            .thenComparingInt(PostgresArchive::rank);

    private static final BinaryOperator<Transition> LATER_OF_JOB = later(OF_JOB);
    private static final BinaryOperator<Transition> LATER_OF_TASK = later(OF_TASK);

    /** The later one of two; but what has logged once has a log. */
    private static BinaryOperator<Transition> later(Comparator<Transition> order) {
        BinaryOperator<Transition> later = BinaryOperator.maxBy(order);
        return (one, other) ->
                later.apply(one, other).logged(one.epoch() == other.epoch() && (one.logged() || other.logged()));
    }

    private static int rank(Transition transition) {
        return switch (TaskStatus.valueOf(transition.state())) {
            case SUCCEEDED -> 4;
            case FAILED -> 3;
            case SKIPPED -> 2;
            case DELAYED -> 1;
            default -> 0;
        };
    }

    private record Values(Class<?> type, Function<Transition, @Nullable Object> value) {}

    private record Rows(Collection<Transition> transitions, List<Values> columns) {}

    private static final Values JOB = new Values(String.class, Transition::jobId);
    private static final Values EPOCH = new Values(Integer.class, Transition::epoch);
    private static final Values STATE = new Values(String.class, Transition::state);
    private static final Values STARTED = new Values(Long.class, transition -> ms(transition.startedAt()));
    private static final Values AT = new Values(Long.class, transition -> ms(transition.at()));

    private static Rows taskColumns(Collection<Transition> transitions) {
        return new Rows(
                transitions,
                List.of(
                        JOB,
                        new Values(String.class, Transition::taskId),
                        EPOCH,
                        new Values(Integer.class, Transition::attempt),
                        new Values(Integer.class, PostgresArchive::rank),
                        STATE,
                        new Values(Boolean.class, Transition::logged),
                        STARTED,
                        AT,
                        new Values(String.class, transition -> storable(transition.worker())),
                        new Values(String.class, transition -> storable(transition.error())),
                        new Values(String.class, transition -> storable(transition.result()))));
    }

    private static Rows begunColumns(Collection<Transition> transitions) {
        return new Rows(transitions, List.of(JOB, EPOCH, new Values(Long.class, PostgresArchive::begun)));
    }

    private static Rows endedColumns(Collection<Transition> transitions) {
        return new Rows(transitions, List.of(JOB, EPOCH, STATE, STARTED, AT));
    }

    private static void write(Handle handle, String sql, Rows rows) {
        if (!rows.transitions().isEmpty()) {
            bound(handle.createUpdate(sql), rows).execute();
        }
    }

    private static List<EndedJob> end(Handle handle, Rows rows) {
        return rows.transitions().isEmpty()
                ? List.of()
                : bound(handle.createQuery(ENDED), rows)
                        .map((row, context) -> new EndedJob(
                                row.getString("id"),
                                row.getLong("number"),
                                row.getInt("epoch"),
                                row.getBoolean("logged")
                                        || row.getString("status").equals(JobStatus.CANCELLED.name())))
                        .list();
    }

    private static <S extends SqlStatement<S>> S bound(S statement, Rows rows) {
        int at = 0;
        for (Values column : rows.columns()) {
            List<@Nullable Object> values = new ArrayList<>(rows.transitions().size());
            rows.transitions().forEach(row -> values.add(column.value().apply(row)));
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

    /** PostgreSQL has no U+0000, and one text that cannot be stored must not hold up all that comes after it. */
    static @Nullable String storable(@Nullable String text) {
        return text == null || text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
    }
}
