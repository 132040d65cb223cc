package dev.hotstate.jobs;

import dev.hotstate.store.Database;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many tasks of a queue may run at once, where that is limited. */
final class PostgresQueues {
    private final Database database;

    PostgresQueues(Database database) {
        this.database = database;
    }

    Map<String, Integer> limits() {
        Map<String, Integer> limits = new HashMap<>();
        database.useHandle(handle -> handle.createQuery("SELECT name, concurrency FROM jobs_queues")
                .map((row, context) -> Map.entry(row.getString("name"), row.getInt("concurrency")))
                .forEach(limit -> limits.put(limit.getKey(), limit.getValue())));
        return limits;
    }

    void limit(String queue, @Nullable Integer concurrency) {
        database.useHandle(handle -> {
            if (concurrency == null) {
                handle.execute("DELETE FROM jobs_queues WHERE name = ?", queue);
            } else {
                handle.execute(
                        "INSERT INTO jobs_queues (name, concurrency) VALUES (?, ?)"
                                + " ON CONFLICT (name) DO UPDATE SET concurrency = excluded.concurrency",
                        queue,
                        concurrency);
            }
        });
    }
}
