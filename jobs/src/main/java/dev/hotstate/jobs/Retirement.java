package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After a job's end is in PostgreSQL: its logs follow, and then its keys in Redis expire after a while. Whoever archived
 * the end does this; what it forgets, because it died or has too much to do, any instance takes up a minute later.
 */
final class Retirement implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Retirement.class);
    private static final EndedJob NOBODY = new EndedJob("", false);
    private static final int REMEMBERED = 10_000;
    private static final int AT_ONCE = 200;
    private static final int TASKS_AT_ONCE = 500;
    private static final int FORGOTTEN_AT_ONCE = 200;
    private static final int FORGOTTEN_TASKS = 20_000;
    private static final int MOST_PORTIONS = 500;
    private static final Duration LONGEST_END = Duration.ofSeconds(2);

    private final PostgresJobs jobs;
    private final PostgresTasks tasks;
    private final PostgresEnds ends;
    private final Graphs graphs;
    private final RedisGraphs redis;
    private final RedisLook look;
    private final Duration keep;
    private final BlockingQueue<EndedJob> ended = new LinkedBlockingQueue<>(REMEMBERED);
    private final Thread thread = Thread.ofVirtual().name("jobs-retirement").unstarted(this::run);
    private volatile boolean closed;

    /** @param keep how long Redis keeps an ended job */
    Retirement(
            PostgresJobs jobs,
            PostgresTasks tasks,
            PostgresEnds ends,
            Graphs graphs,
            RedisGraphs redis,
            RedisLook look,
            Duration keep) {
        this.jobs = jobs;
        this.tasks = tasks;
        this.ends = ends;
        this.graphs = graphs;
        this.redis = redis;
        this.look = look;
        this.keep = keep;
    }

    void start() {
        thread.start();
    }

    /** Of jobs whose end is archived; those that there is no room for are found later. */
    void add(Collection<EndedJob> jobs) {
        jobs.forEach(ended::offer);
    }

    /** To be called every minute or so. */
    void takeUpForgotten() {
        retire(ends.forgotten(AT_ONCE));
    }

    /** To be called every hour or so: up to 100,000 jobs a call, in portions, so that others are not held up. */
    void forgetBefore(Instant time) {
        int portions = 0;
        while (ends.forget(time, FORGOTTEN_AT_ONCE, FORGOTTEN_TASKS) > 0 && ++portions < MOST_PORTIONS) {
            log.debug("a portion of jobs that ended before {} was forgotten", time);
        }
    }

    @Override
    public void close() {
        closed = true;
        ended.offer(NOBODY);
        try {
            if (thread.isAlive() && !thread.join(LONGEST_END)) {
                thread.interrupt();
            }
        } catch (InterruptedException hurried) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closed) {
                List<EndedJob> some = new ArrayList<>(List.of(ended.take()));
                ended.drainTo(some, AT_ONCE - 1);
                some.remove(NOBODY);
                if (!closed) {
                    retireSome(some);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void retireSome(List<EndedJob> some) {
        try {
            retire(some);
        } catch (HotstateException notNow) {
            log.debug("{} ended jobs are retired later: {}", some.size(), notNow.getMessage());
        } catch (RuntimeException broken) {
            log.error("Ended jobs cannot be retired: {}", some, broken);
        }
    }

    private void retire(List<EndedJob> some) {
        List<String> done = new ArrayList<>();
        try {
            for (EndedJob job : some) {
                String id = job.id();
                Optional<Graph> graph = graphs.find(id);
                if (graph.isPresent()) {
                    List<String> all =
                            graph.get().job().tasks().stream().map(TaskSpec::id).toList();
                    if (job.logged()) {
                        keepLogs(id, all);
                    }
                    redis.retire(id, all, keep);
                    done.add(id);
                }
            }
        } finally {
            if (!done.isEmpty()) {
                ends.retired(done);
            }
        }
    }

    private void keepLogs(String id, List<String> all) {
        List<PostgresEnds.Log> logs = logged(id, all)
                .flatMap(task -> look.lines(id, task, 0, JobKeys.LOG_LINES).stream()
                        .filter(part -> !part.lines().isEmpty())
                        .map(part -> new PostgresEnds.Log(task, part.from(), storable(part.lines()))))
                .toList();
        if (!logs.isEmpty()) {
            ends.keep(id, logs);
        }
    }

    /** What was cancelled while it ran has logged perhaps, but has no transition that says so. */
    private Stream<String> logged(String id, List<String> all) {
        boolean cancelled =
                jobs.find(id).filter(job -> job.status() == JobStatus.CANCELLED).isPresent();
        if (!cancelled) {
            return tasks.logged(id).stream();
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
        return found.stream();
    }

    private static List<String> storable(List<String> lines) {
        return lines.stream()
                .map(line -> String.valueOf(PostgresArchive.storable(line)))
                .toList();
    }
}
