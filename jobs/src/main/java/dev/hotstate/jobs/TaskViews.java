package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Slice;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tasks as they are shown: those of a job under way as Redis has them, else as PostgreSQL does. */
final class TaskViews {
    private static final Logger log = LoggerFactory.getLogger(TaskViews.class);
    private static final int AT_ONCE = 500;
    /** Tasks that one call looks at; a list of a rare state may so come in several parts, some of them empty. */
    private static final int MOST_LOOKED_AT = 20_000;

    private final JobViews jobs;
    private final PostgresJobs storedJobs;
    private final Graphs graphs;
    private final PostgresTasks stored;
    private final RedisLook live;

    TaskViews(JobViews jobs, PostgresJobs storedJobs, Graphs graphs, PostgresTasks stored, RedisLook live) {
        this.jobs = jobs;
        this.storedJobs = storedJobs;
        this.graphs = graphs;
        this.stored = stored;
        this.live = live;
    }

    Slice<TaskView> list(String id, @Nullable TaskStatus status, int limit, @Nullable String cursor, Results results) {
        StoredJob job = storedJobs.find(id).orElseThrow(() -> unknown(id));
        Graph graph = graphs.of(job);
        List<TaskView> found = new ArrayList<>();
        int from = place(cursor);
        int end = Math.min(graph.size(), from + MOST_LOOKED_AT);
        int at = from;
        while (at < end && found.size() < limit) {
            // Without a filter each one looked at is shown.
            int some = Math.min(AT_ONCE, status == null ? limit - found.size() : AT_ONCE);
            int to = Math.min(end, at + some);
            for (TaskView view : views(job, graph.job().tasks().subList(at, to), results)) {
                at++;
                if (status == null || view.status() == status) {
                    found.add(view);
                }
                if (found.size() == limit) {
                    break;
                }
            }
        }
        return new Slice<>(found, at < graph.size() ? Integer.toString(at) : null);
    }

    Optional<Graph> graph(String id) {
        return storedJobs.find(id).flatMap(job -> graphs.find(job.id(), job.number()));
    }

    Optional<TaskView> find(String id, String task, Results results) {
        return storedJobs.find(id).flatMap(job -> {
            Graph graph = graphs.of(job);
            return graph.find(task)
                    .map(place ->
                            views(job, List.of(graph.task(place)), results).getFirst());
        });
    }

    /** At most 500. */
    List<TaskView> views(StoredJob job, List<TaskSpec> specs, Results results) {
        List<String> ids = specs.stream().map(TaskSpec::id).toList();
        boolean cancelled = jobs.view(job).status() == JobStatus.CANCELLED;
        Map<String, LiveTask> now = live(job, ids, results);
        List<String> others = ids.stream().filter(id -> !isWhole(now.get(id))).toList();
        Map<String, StoredTask> before = others.isEmpty() ? Map.of() : stored.some(job.id(), others, results);
        return specs.stream()
                .map(spec -> {
                    LiveTask found = now.get(spec.id());
                    StoredTask known = before.get(spec.id());
                    TaskView view = found == null || (known != null && known.status() == found.status())
                            ? view(spec, known)
                            : view(spec, found);
                    return cancelled && !view.status().isTerminal() ? cancelled(view) : view;
                })
                .toList();
    }

    /** What had ended when it was loaded, Redis knows little of. */
    private static boolean isWhole(@Nullable LiveTask task) {
        return task != null && !(task.status().isTerminal() && task.startedAt() == null);
    }

    /** Those that Redis has, of a job that has not ended as far as PostgreSQL knows. */
    private Map<String, LiveTask> live(StoredJob job, List<String> ids, Results results) {
        if (jobs.live(job).isEmpty()) {
            return Map.of();
        }
        try {
            return live.tasks(job.id(), ids, results);
        } catch (HotstateException away) {
            log.debug("tasks of {} are shown as PostgreSQL has them: {}", job.id(), away.getMessage());
            return Map.of();
        }
    }

    private static TaskView view(TaskSpec spec, LiveTask task) {
        return new TaskView(
                spec,
                task.status(),
                task.attempt(),
                task.worker(),
                task.dueAt(),
                task.leaseUntil(),
                task.startedAt(),
                task.finishedAt(),
                task.error(),
                task.result(),
                task.resultOmitted());
    }

    private static TaskView view(TaskSpec spec, @Nullable StoredTask task) {
        return task == null
                ? new TaskView(spec, TaskStatus.WAITING, 0, null, null, null, null, null, null, null, false)
                : new TaskView(
                        spec,
                        task.status(),
                        task.attempt(),
                        task.worker(),
                        null,
                        null,
                        task.startedAt(),
                        task.status().isTerminal() ? task.finishedAt() : null,
                        task.error(),
                        task.result(),
                        task.resultOmitted());
    }

    private static TaskView cancelled(TaskView view) {
        return new TaskView(
                view.spec(),
                TaskStatus.CANCELLED,
                view.attempt(),
                view.worker(),
                null,
                null,
                view.startedAt(),
                view.finishedAt(),
                view.error(),
                view.result(),
                view.resultOmitted());
    }

    private static int place(@Nullable String cursor) {
        try {
            return cursor == null ? 0 : Math.max(0, Integer.parseInt(cursor));
        } catch (NumberFormatException unknown) {
            throw new IllegalArgumentException("cursor \"" + cursor + "\" was not given by a list of tasks", unknown);
        }
    }

    static UnknownJobException unknown(String id) {
        return new UnknownJobException("there is no job \"" + id + "\"");
    }
}
