package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The logs of ended jobs, on their way from Redis to PostgreSQL. */
final class EndedLogs {
    private static final int TASKS_AT_ONCE = 500;

    /** Logs that are held and written at once: one has up to 4 MB by itself. */
    private static final int LOGS_AT_ONCE = 50;

    private static final int CHARS_AT_ONCE = 4 << 20;

    private final PostgresJobs jobs;
    private final PostgresTasks tasks;
    private final PostgresEnds ends;
    private final RedisLook look;

    EndedLogs(PostgresJobs jobs, PostgresTasks tasks, PostgresEnds ends, RedisLook look) {
        this.jobs = jobs;
        this.tasks = tasks;
        this.ends = ends;
        this.look = look;
    }

    /** The logs of an ended job that nobody has seen to yet; of others nothing is done. */
    void keepUnlessRetired(String id, Function<StoredJob, List<String>> all) {
        if (ends.isUnretired(id)) {
            jobs.find(id).ifPresent(job -> keep(id, all.apply(job)));
        }
    }

    /** Also twice: the same lines in the same place. */
    void keep(String id, List<String> all) {
        List<PostgresEnds.Log> logs = new ArrayList<>();
        int chars = 0;
        for (String task : logged(id, all)) {
            Optional<LogPart> part = look.lines(id, task, 0, JobKeys.LOG_LINES);
            if (part.isPresent() && !part.get().lines().isEmpty()) {
                List<String> lines = storable(part.get().lines());
                logs.add(new PostgresEnds.Log(task, part.get().from(), lines));
                chars += lines.stream().mapToInt(String::length).sum();
            }
            if (logs.size() == LOGS_AT_ONCE || chars >= CHARS_AT_ONCE) {
                ends.keep(id, logs);
                logs.clear();
                chars = 0;
            }
        }
        if (!logs.isEmpty()) {
            ends.keep(id, logs);
        }
    }

    /** What was cancelled while it ran has logged perhaps, but has no transition that says so. */
    private List<String> logged(String id, List<String> all) {
        boolean cancelled =
                jobs.find(id).filter(job -> job.status() == JobStatus.CANCELLED).isPresent();
        if (!cancelled) {
            return tasks.logged(id);
        }
        List<String> found = new ArrayList<>();
        for (int from = 0; from < all.size(); from += TASKS_AT_ONCE) {
            Map<String, LiveTask> live =
                    look.tasks(id, all.subList(from, Math.min(from + TASKS_AT_ONCE, all.size())), Results.NONE);
            live.forEach((task, state) -> {
                if (state.logged() > 0) {
                    found.add(task);
                }
            });
        }
        return found;
    }

    private static List<String> storable(List<String> lines) {
        return lines.stream()
                .map(line -> String.valueOf(PostgresHistory.storable(line)))
                .toList();
    }
}
