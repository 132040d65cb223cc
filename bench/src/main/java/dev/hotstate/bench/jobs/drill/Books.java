package dev.hotstate.bench.jobs.drill;

import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.testkit.PostgresDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What PostgreSQL has in the end: of jobs, of their tasks, and of what handlers did. */
record Books(
        Map<String, Job> jobs,
        Map<String, Map<String, Task>> tasks,
        List<Traces.Attempt> attempts,
        List<Traces.Effect> effects) {

    /** @param ended how many of its tasks have, by the job's own count */
    record Job(JobStatus status, int ended) {}

    record Task(TaskStatus status, int attempt, String error) {}

    static Books read(PostgresDatabase database) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            return new Books(
                    jobs(statement), tasks(statement), Traces.attempts(connection), Traces.effects(connection));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static long unfinished(PostgresDatabase database) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM jobs_jobs WHERE finished_at IS NULL")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Map<String, Job> jobs(Statement statement) throws SQLException {
        Map<String, Job> jobs = new HashMap<>();
        try (ResultSet row =
                statement.executeQuery("SELECT id, status, succeeded + failed + skipped AS ended FROM jobs_jobs")) {
            while (row.next()) {
                jobs.put(row.getString("id"), new Job(JobStatus.valueOf(row.getString("status")), row.getInt("ended")));
            }
        }
        return jobs;
    }

    private static Map<String, Map<String, Task>> tasks(Statement statement) throws SQLException {
        Map<String, Map<String, Task>> tasks = new HashMap<>();
        try (ResultSet row = statement.executeQuery("SELECT job_id, task_id, status, attempt, error FROM jobs_tasks")) {
            while (row.next()) {
                tasks.computeIfAbsent(row.getString("job_id"), job -> new HashMap<>())
                        .put(
                                row.getString("task_id"),
                                new Task(
                                        TaskStatus.valueOf(row.getString("status")),
                                        row.getInt("attempt"),
                                        String.valueOf(row.getString("error"))));
            }
        }
        return tasks;
    }
}
