package dev.hotstate.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.io.InputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A database of a time when each task had a row of its own. */
@ExtendWith(Testkit.class)
class HistoryMigrationIT {
    private static final List<String> BEFORE =
            List.of("V1__jobs", "V2__effects", "V3__listing", "V4__keys_of_those_that_have_one");

    @Test
    void tasksThatHadRowsOfTheirOwnAreKnownAsBefore(PostgresDatabase database) throws Exception {
        try (var connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String version : BEFORE) {
                statement.execute(migration(version));
            }
            statement.execute("""
                    INSERT INTO jobs_jobs (id, hash, name, created_by, priority, queue, tasks, epoch, look_at, created_at, document)
                    VALUES ('one', 1, 'One', 'me', 0, 'default', 1200, 3, now(), now(), '{}'),
                        ('other', 2, 'Other', 'me', 0, 'default', 1, 1, now(), now(), '{}');
                    INSERT INTO jobs_tasks
                    SELECT 'one', 't-' || i, 1 + i % 3, i % 5, 4, CASE i % 2 WHEN 0 THEN 'SUCCEEDED' ELSE 'FAILED' END,
                        i % 7 = 0, '2026-06-01 12:00:00.123+00',
                        CASE i % 3 WHEN 0 THEN NULL ELSE timestamptz '2026-06-01 12:00:07.456+00' END, 'worker-1',
                        CASE i % 2 WHEN 1 THEN 'broken' END, CASE i % 2 WHEN 0 THEN repeat('x', i) END
                    FROM generate_series(1, 1200) AS i;
                    INSERT INTO jobs_tasks VALUES ('other', 't-1', 1, 1, 2, 'SKIPPED', false, NULL,
                        '2026-06-01 12:00:09.789+00', NULL, NULL, NULL)""");
            List<String> before = tasks(statement);

            statement.execute(migration("V5__history"));

            assertThat(tasks(statement)).hasSize(1_201).isEqualTo(before);
        }
    }

    private static List<String> tasks(Statement statement) throws SQLException {
        List<String> tasks = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("""
                SELECT concat_ws(',', job_id, task_id, attempt, status, logged, started_at, finished_at, worker, error, result)
                FROM jobs_tasks ORDER BY job_id, task_id COLLATE "C\"""")) {
            while (rows.next()) {
                tasks.add(rows.getString(1));
            }
        }
        return tasks;
    }

    private static String migration(String name) throws IOException {
        String file = "/db/migration/jobs/" + name + ".sql";
        try (InputStream sql = HistoryMigrationIT.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(sql, file).readAllBytes(), UTF_8);
        }
    }
}
