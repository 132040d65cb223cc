package dev.hotstate.jobs;

import dev.hotstate.core.Fence;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.store.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/**
 * Effects in the PostgreSQL that the jobs are in. The row of a task is locked for as long as an attempt writes, so two
 * attempts never write at once: the second waits, and then finds what the first has left.
 */
public final class PostgresEffects implements Effects<Connection> {
    private final Database database;

    /** @param database with the tables of {@code jobs}, and those that are written */
    public PostgresEffects(Database database) {
        this.database = database;
    }

    @Override
    public <X extends Exception> Committed once(Claimed task, BooleanSupplier stillHeld, Work<Connection, X> work)
            throws X {
        if (task.attempt() > 1) {
            // For itself: also if this attempt comes to nothing, those before it are refused from here on.
            database.useTransaction(handle -> admit(handle, task));
        }
        return database.inTransaction(handle -> {
            Optional<Committed> before = admit(handle, task);
            if (before.isPresent()) {
                return before.get();
            }
            String result = written(handle, task, stillHeld, work);
            bound(handle.createUpdate("""
                            UPDATE jobs_effects SET done = true, result = :result
                            WHERE job_id = :job AND task_id = :task AND epoch = :epoch"""), task).bind("result", result).execute();
            return new Committed(result, false);
        });
    }

    private static <X extends Exception> @Nullable String written(
            Handle handle, Claimed task, BooleanSupplier stillHeld, Work<Connection, X> work) throws X {
        try {
            String result = work.write(handle.getConnection());
            requireWanted(handle, task);
            if (!stillHeld.getAsBoolean()) {
                throw refused(task, "the task is held by another attempt, or was cancelled");
            }
            return result;
        } catch (Throwable failed) {
            if (task.attempt() == 1) {
                admitNevertheless(handle, task, failed);
            }
            throw failed;
        }
    }

    /** Nothing of the writes stays, but that this attempt was there: before it may have been another first one. */
    private static void admitNevertheless(Handle handle, Claimed task, Throwable failed) {
        try {
            Connection connection = handle.getConnection();
            connection.rollback();
            handle.execute("SET LOCAL lock_timeout = '1s'");
            admit(handle, task);
            connection.commit();
        } catch (SQLException | RuntimeException unable) {
            failed.addSuppressed(unable);
        }
    }

    @Override
    public Optional<Committed> committed(String job, String task, int epoch) {
        return database.inTransaction(handle -> {
            // A transaction may be open for as long as it likes; whoever asks has others to ask for.
            handle.execute("SET LOCAL lock_timeout = '1s'");
            boolean known = handle.createUpdate("""
                                    INSERT INTO jobs_effects (job_id, task_id, epoch, incarnation, count, closed)
                                    SELECT id, :task, :epoch, 0, 0, true FROM jobs_jobs WHERE id = :job
                                    ON CONFLICT (job_id, task_id, epoch) DO UPDATE
                                    SET closed = NOT jobs_effects.done""")
                            .bind("job", job)
                            .bind("task", task)
                            .bind("epoch", epoch)
                            .execute()
                    > 0;
            return known ? row(handle, job, task, epoch).committed() : Optional.empty();
        });
    }

    /**
     * The same for many, in one statement: what each has committed, if anything. It waits for a moment only, the shorter the
     * fewer are asked for, and throws where one of them is at its commit: then nothing is known of any.
     */
    Map<Lapsed, Optional<Committed>> committed(List<Lapsed> tasks) {
        Map<List<Object>, Committed> done = new HashMap<>();
        database.useTransaction(handle -> {
            handle.execute("SET LOCAL lock_timeout = '" + (tasks.size() == 1 ? "50ms" : "1s") + "'");
            handle.createQuery("""
                            INSERT INTO jobs_effects (job_id, task_id, epoch, incarnation, count, closed)
                            SELECT id, asked.task_id, asked.epoch, 0, 0, true
                            FROM unnest(:jobs::text[], :tasks::text[], :epochs::integer[]) AS asked (job_id, task_id, epoch)
                            JOIN jobs_jobs ON id = asked.job_id ORDER BY id, asked.task_id
                            ON CONFLICT (job_id, task_id, epoch) DO UPDATE SET closed = NOT jobs_effects.done
                            RETURNING job_id, task_id, epoch, done, result""")
                    .bindArray(
                            "jobs",
                            String.class,
                            tasks.stream().map(Lapsed::jobId).toList())
                    .bindArray(
                            "tasks",
                            String.class,
                            tasks.stream().map(Lapsed::taskId).toList())
                    .bindArray(
                            "epochs",
                            Integer.class,
                            tasks.stream().map(Lapsed::epoch).toList())
                    .map((row, context) -> {
                        if (row.getBoolean("done")) {
                            done.put(
                                    List.of(row.getString("job_id"), row.getString("task_id"), row.getInt("epoch")),
                                    new Committed(row.getString("result"), true));
                        }
                        return 1;
                    })
                    .list();
        });
        Map<Lapsed, Optional<Committed>> known = new LinkedHashMap<>();
        for (Lapsed task : tasks) {
            known.put(task, Optional.ofNullable(done.get(List.of(task.jobId(), task.taskId(), task.epoch()))));
        }
        return known;
    }

    /** Locks the task's row for this attempt; what an earlier one has committed, if it has. */
    private static Optional<Committed> admit(Handle handle, Claimed task) {
        requireWanted(handle, task);
        Fence fence = task.fence();
        int admitted = bound(handle.createUpdate("""
                        INSERT INTO jobs_effects (job_id, task_id, epoch, incarnation, count)
                        VALUES (:job, :task, :epoch, :incarnation, :count)
                        ON CONFLICT (job_id, task_id, epoch) DO UPDATE SET incarnation = :incarnation, count = :count
                        WHERE NOT jobs_effects.done AND NOT jobs_effects.closed
                            AND (jobs_effects.incarnation, jobs_effects.count) <= (:incarnation, :count)"""), task)
                .bind("incarnation", fence.incarnation())
                .bind("count", fence.count())
                .execute();
        if (admitted > 0) {
            return Optional.empty();
        }
        Row row = row(handle, task.jobId(), task.taskId(), task.epoch());
        if (row.done()) {
            return row.committed();
        }
        throw refused(task, row.closed() ? "its last attempt was given up" : "a later attempt is at it");
    }

    /**
     * Not locked, as the archive writes this row all the time: a job that is cancelled just now was so a moment later. On
     * the way the transaction is bounded, so that a handler which never returns does not hold the task's row for ever: what
     * is silent for as long as an attempt may take in all is ended by PostgreSQL.
     */
    private static void requireWanted(Handle handle, Claimed task) {
        Job job = handle.createQuery("""
                        SELECT status, intent, epoch, set_config('idle_in_transaction_session_timeout', :silence, true)
                        FROM jobs_jobs WHERE id = :job""")
                .bind("job", task.jobId())
                .bind("silence", Long.toString(Math.clamp(task.timeout().toMillis(), 1, Integer.MAX_VALUE)))
                .map((row, context) -> new Job(row.getString("status"), row.getString("intent"), row.getInt("epoch")))
                .findOne()
                .orElseThrow(() -> refused(task, "PostgreSQL knows no such job"));
        if (job.epoch() != task.epoch()) {
            throw refused(task, "the job was run again, as epoch " + job.epoch());
        }
        if (job.status().equals(JobStatus.CANCELLED.name()) || "cancel".equals(job.intent())) {
            throw refused(task, "the job was cancelled");
        }
        if (JobStatus.valueOf(job.status()).isTerminal()) {
            throw refused(task, "the job has ended");
        }
    }

    private record Job(String status, @Nullable String intent, int epoch) {}

    private record Row(
            boolean done, boolean closed, @Nullable String result) {
        Optional<Committed> committed() {
            return done ? Optional.of(new Committed(result, true)) : Optional.empty();
        }
    }

    private static Row row(Handle handle, String job, String task, int epoch) {
        return handle.createQuery("""
                        SELECT done, closed, result FROM jobs_effects
                        WHERE job_id = :job AND task_id = :task AND epoch = :epoch""")
                .bind("job", job)
                .bind("task", task)
                .bind("epoch", epoch)
                .map((row, context) ->
                        new Row(row.getBoolean("done"), row.getBoolean("closed"), row.getString("result")))
                .one();
    }

    private static <S extends SqlStatement<S>> S bound(S statement, Claimed task) {
        return statement.bind("job", task.jobId()).bind("task", task.taskId()).bind("epoch", task.epoch());
    }

    private static EffectRefusedException refused(Claimed task, String why) {
        return new EffectRefusedException("attempt " + task.attempt() + " of task " + task.taskId() + " of job "
                + task.jobId() + " may not write: " + why);
    }
}
