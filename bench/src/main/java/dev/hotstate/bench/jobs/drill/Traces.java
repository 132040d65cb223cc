package dev.hotstate.bench.jobs.drill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What handlers leave in PostgreSQL: a line for each attempt that began, by itself, and their effects, each in the
 * transaction that ends its task. Nothing there keeps an effect from happening twice but what is tested. All clocks are
 * this machine's.
 */
final class Traces {
    private static final String TABLES = """
            CREATE TABLE drill_attempts (job_id text NOT NULL, task_id text NOT NULL, attempt integer NOT NULL,
                fence text NOT NULL, worker text NOT NULL, began timestamptz NOT NULL);
            CREATE TABLE drill_effects (job_id text NOT NULL, task_id text NOT NULL, attempt integer NOT NULL,
                fence text NOT NULL, worker text NOT NULL, began timestamptz NOT NULL,
                wrote timestamptz NOT NULL DEFAULT clock_timestamp(), flaw text)""";
    private static final String ATTEMPT = """
            INSERT INTO drill_attempts (job_id, task_id, attempt, fence, worker, began) VALUES (?, ?, ?, ?, ?, ?)""";
    private static final String EFFECT = """
            INSERT INTO drill_effects (job_id, task_id, attempt, fence, worker, began, flaw)
            VALUES (?, ?, ?, ?, ?, ?, ?)""";

    private Traces() {}

    /** Whose line it is. */
    record Who(String job, String task, int attempt, String fence, String worker) {}

    /** @param began when its handler began */
    record Attempt(Who who, Instant began) {}

    /**
     * @param wrote a moment before its commit
     * @param flaw what was wrong with what the handler was given; null where nothing was
     */
    record Effect(
            Who who, Instant began, Instant wrote, @Nullable String flaw) {}

    static void makeTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        }
    }

    static void attempted(Connection connection, Who who, Instant began) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ATTEMPT)) {
            bind(insert, who);
            insert.setTimestamp(6, Timestamp.from(began));
            insert.executeUpdate();
        }
    }

    static void affect(Connection connection, Who who, Instant began, @Nullable String flaw) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(EFFECT)) {
            bind(insert, who);
            insert.setTimestamp(6, Timestamp.from(began));
            insert.setString(7, flaw);
            insert.executeUpdate();
        }
    }

    static List<Attempt> attempts(Connection connection) throws SQLException {
        List<Attempt> attempts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT job_id, task_id, attempt, fence, worker, began FROM drill_attempts")) {
            while (row.next()) {
                attempts.add(new Attempt(who(row), instant(row, 6)));
            }
        }
        return attempts;
    }

    static List<Effect> effects(Connection connection) throws SQLException {
        List<Effect> effects = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT job_id, task_id, attempt, fence, worker, began, wrote, flaw FROM drill_effects")) {
            while (row.next()) {
                effects.add(new Effect(who(row), instant(row, 6), instant(row, 7), row.getString(8)));
            }
        }
        return effects;
    }

    private static void bind(PreparedStatement insert, Who who) throws SQLException {
        insert.setString(1, who.job());
        insert.setString(2, who.task());
        insert.setInt(3, who.attempt());
        insert.setString(4, who.fence());
        insert.setString(5, who.worker());
    }

    private static Who who(ResultSet row) throws SQLException {
        return new Who(row.getString(1), row.getString(2), row.getInt(3), row.getString(4), row.getString(5));
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getTimestamp(column).toInstant();
    }
}
