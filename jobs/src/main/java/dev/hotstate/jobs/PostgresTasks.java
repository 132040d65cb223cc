package dev.hotstate.jobs;

import static dev.hotstate.jobs.PostgresTimes.instantOrNull;

import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What PostgreSQL knows of tasks. */
final class PostgresTasks {
    // Rows are fetched in portions: a job has up to 120,000, each with a result.
    private static final int PORTION = 5_000;
    private static final String COLUMNS =
            "SELECT task_id, status, attempt, logged, started_at, finished_at, worker, error,"
                    + " CASE WHEN octet_length(result) <= :longest THEN result END AS result,"
                    + " :longest > 0 AND coalesce(octet_length(result) > :longest, false) AS omitted";

    private final Database database;

    PostgresTasks(Database database) {
        this.database = database;
    }

    /** Every task of the job that something has happened to, by id, with all that it has given. */
    Map<String, StoredTask> all(String job) {
        return database.inTransaction(handle -> {
            Map<String, StoredTask> tasks = new HashMap<>();
            handle.createQuery(COLUMNS + " FROM jobs_tasks_of(:job)")
                    .bind("longest", Results.ALL.longest())
                    .bind("job", job)
                    .setFetchSize(PORTION)
                    .map((row, context) -> task(row))
                    .forEach(task -> tasks.put(task.id(), task));
            return tasks;
        });
    }

    /** @param resultLength of what it has given, in bytes */
    record Outline(TaskStatus status, int attempt, int resultLength) {}

    /** The same without what they have given, which may be more than memory holds. */
    Map<String, Outline> outlines(String job) {
        return database.inTransaction(handle -> {
            Map<String, Outline> outlines = new HashMap<>();
            handle.createQuery("SELECT task_id, status, attempt, coalesce(octet_length(result), 0) AS length"
                            + " FROM jobs_tasks_of(:job)")
                    .bind("job", job)
                    .setFetchSize(PORTION)
                    .map((row, context) -> Map.entry(
                            row.getString("task_id"),
                            new Outline(
                                    TaskStatus.valueOf(row.getString("status")),
                                    row.getInt("attempt"),
                                    row.getInt("length"))))
                    .forEach(one -> outlines.put(one.getKey(), one.getValue()));
            return outlines;
        });
    }

    /** What these have given, of those that have. */
    Map<String, String> results(String job, Collection<String> ids) {
        Map<String, String> results = new HashMap<>();
        some(job, ids, Results.ALL).forEach((id, task) -> {
            if (task.result() != null) {
                results.put(id, task.result());
            }
        });
        return results;
    }

    /** The states of the same. */
    Map<String, TaskStatus> states(String job) {
        Map<String, TaskStatus> states = new HashMap<>();
        database.useHandle(handle -> handle.createQuery("SELECT task_id, status FROM jobs_tasks_of(:job)")
                .bind("job", job)
                .map((row, context) -> Map.entry(row.getString("task_id"), TaskStatus.valueOf(row.getString("status"))))
                .forEach(state -> states.put(state.getKey(), state.getValue())));
        return states;
    }

    Map<String, StoredTask> some(String job, Collection<String> ids, Results results) {
        Map<String, StoredTask> tasks = new HashMap<>();
        database.useHandle(handle -> handle.createQuery(COLUMNS + " FROM jobs_tasks_of(:job, :ids)")
                .bind("longest", results.longest())
                .bind("job", job)
                .bindArray("ids", String.class, List.copyOf(ids))
                .map((row, context) -> task(row))
                .forEach(task -> tasks.put(task.id(), task)));
        return tasks;
    }

    /** The tasks of a job that have logged something. */
    List<String> logged(String job) {
        return database.withHandle(handle -> handle.createQuery("SELECT task_id FROM jobs_tasks_of(:job) WHERE logged")
                .bind("job", job)
                .mapTo(String.class)
                .list());
    }

    /** Whether the last that happened to a task of the job was so long ago; also where nothing has. */
    boolean isQuiet(String job, Duration since) {
        return database.withHandle(handle -> handle.createQuery("""
                        SELECT NOT EXISTS (SELECT FROM jobs_tasks_of(:job)
                            WHERE finished_at > now() - :ms * interval '1 ms')""")
                .bind("job", job)
                .bind("ms", since.toMillis())
                .mapTo(Boolean.class)
                .one());
    }

    /** How many tasks of a job have ended, and how. */
    Map<TaskStatus, Integer> ended(String job) {
        Map<TaskStatus, Integer> counts = new EnumMap<>(TaskStatus.class);
        database.useHandle(handle -> handle.createQuery("SELECT status, count(*) AS tasks FROM jobs_tasks_of(:job)"
                        + " WHERE status <> 'DELAYED' GROUP BY status")
                .bind("job", job)
                .map((row, context) -> Map.entry(TaskStatus.valueOf(row.getString("status")), row.getInt("tasks")))
                .forEach(count -> counts.put(count.getKey(), count.getValue())));
        return counts;
    }

    private static StoredTask task(ResultSet row) throws SQLException {
        return new StoredTask(
                row.getString("task_id"),
                TaskStatus.valueOf(row.getString("status")),
                row.getInt("attempt"),
                row.getBoolean("logged"),
                instantOrNull(row, "started_at"),
                instantOrNull(row, "finished_at"),
                row.getString("worker"),
                row.getString("error"),
                row.getString("result"),
                row.getBoolean("omitted"));
    }
}
