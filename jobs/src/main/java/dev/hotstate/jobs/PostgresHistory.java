package dev.hotstate.jobs;

import dev.hotstate.store.Batch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * What happens to tasks, as it comes: only ever added. What counts of it is found when it is read ({@link PostgresTasks}), so
 * it may come twice, and in any order.
 */
final class PostgresHistory {
    /** Tasks a row, and characters that they bring with them, so that one can be read without many others. */
    private static final int TASKS = 500;

    private static final int CHARS = 16_384;

    private record JobEpoch(String job, int epoch) {}

    private record Portion(long job, int epoch, List<Transition> tasks) {
        <T extends @Nullable Object> List<T> each(Function<Transition, T> value) {
            List<T> values = new ArrayList<>(tasks.size());
            tasks.forEach(task -> values.add(value.apply(task)));
            return values;
        }
    }

    private static final Batch<Portion> PORTIONS = Batch.<Portion>into("jobs_history")
            .column("job", "bigint", Portion::job)
            .column("epoch", "integer", Portion::epoch)
            .column("task_ids", "text[]", tasks -> tasks.each(Transition::taskId))
            .column("attempts", "integer[]", tasks -> tasks.each(Transition::attempt))
            .column("statuses", "text[]", tasks -> tasks.each(Transition::state))
            .column("logged", "boolean[]", tasks -> tasks.each(Transition::logged))
            .column("started_ms", "bigint[]", tasks -> tasks.each(task -> ms(task.startedAt())))
            .column("finished_ms", "bigint[]", tasks -> tasks.each(task -> ms(task.at())))
            .column("workers", "text[]", tasks -> tasks.each(task -> storable(task.worker())))
            .column("errors", "text[]", tasks -> tasks.each(task -> storable(task.error())))
            .column("results", "text[]", tasks -> tasks.each(task -> storable(task.result())));

    private PostgresHistory() {}

    /** Of tasks whose jobs there are. */
    static void add(Handle handle, Collection<Transition> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        Map<JobEpoch, List<Transition>> byJob = new LinkedHashMap<>();
        tasks.forEach(task -> byJob.computeIfAbsent(new JobEpoch(task.jobId(), task.epoch()), job -> new ArrayList<>())
                .add(task));
        Map<String, Long> numbers = numbers(handle, byJob.keySet());
        List<Portion> portions = new ArrayList<>();
        byJob.forEach((job, all) -> {
            Long number = numbers.get(job.job());
            if (number != null) {
                cut(all).forEach(some -> portions.add(new Portion(number, job.epoch(), some)));
            }
        });
        PORTIONS.copy(handle, portions);
    }

    /** What is known of a job's tasks but these is known in its next epoch too. */
    static void carryOver(Handle handle, StoredJob job, Collection<String> but) {
        handle.createUpdate("""
                        INSERT INTO jobs_history (job, epoch, task_ids, attempts, statuses, logged, started_ms,
                            finished_ms, workers, errors, results)
                        SELECT :number, :epoch + 1, array_agg(task_id), array_agg(attempt), array_agg(status),
                            array_agg(logged), array_agg(started_ms), array_agg(finished_ms), array_agg(worker),
                            array_agg(error), array_agg(result)
                        FROM (SELECT *, (extract(epoch FROM started_at) * 1000)::bigint AS started_ms,
                                (extract(epoch FROM finished_at) * 1000)::bigint AS finished_ms,
                                row_number() OVER by_id / :tasks AS portion,
                                sum(coalesce(octet_length(result), 0)) OVER by_id / :chars AS size
                            FROM jobs_tasks_of(:id) WHERE NOT task_id = ANY (:but)
                            WINDOW by_id AS (ORDER BY task_id)) AS kept
                        GROUP BY portion, size""")
                .bind("id", job.id())
                .bind("number", job.number())
                .bind("epoch", job.epoch())
                .bind("tasks", TASKS)
                .bind("chars", CHARS)
                .bindArray("but", String.class, List.copyOf(but))
                .execute();
        handle.execute("DELETE FROM jobs_history WHERE job = ? AND epoch <= ?", job.number(), job.epoch());
    }

    private static Map<String, Long> numbers(Handle handle, Collection<JobEpoch> jobs) {
        Map<String, Long> numbers = new HashMap<>();
        handle.createQuery("SELECT id, number FROM jobs_jobs WHERE id = ANY (:jobs)")
                .bindArray(
                        "jobs", String.class, jobs.stream().map(JobEpoch::job).toList())
                .map((row, context) -> Map.entry(row.getString("id"), row.getLong("number")))
                .forEach(job -> numbers.put(job.getKey(), job.getValue()));
        return numbers;
    }

    private static List<List<Transition>> cut(List<Transition> tasks) {
        List<List<Transition>> portions = new ArrayList<>();
        int from = 0;
        int chars = 0;
        for (int i = 0; i < tasks.size(); i++) {
            chars += chars(tasks.get(i).result()) + chars(tasks.get(i).error());
            if (i + 1 - from == TASKS || chars >= CHARS || i + 1 == tasks.size()) {
                portions.add(tasks.subList(from, i + 1));
                from = i + 1;
                chars = 0;
            }
        }
        return portions;
    }

    private static int chars(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static @Nullable Long ms(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }

    /** PostgreSQL has no U+0000, and one text that cannot be stored must not hold up all that comes after it. */
    static @Nullable String storable(@Nullable String text) {
        return text == null || text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
    }
}
