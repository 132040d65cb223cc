package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why a task is where it is, in a sentence for the person who wonders. */
final class Reasons {
    private static final int MOST_NEEDS = 100;
    private static final int AT_ONCE = 500;
    /** Needs that are looked at for those that block; of a task with more, the first ones. */
    private static final int MOST_LOOKED_AT = 5_000;

    private final PostgresJobs jobs;
    private final Graphs graphs;
    private final TaskViews tasks;
    private final RedisLook look;
    private final QueueLimits limits;
    private final InstantSource clock;

    Reasons(
            PostgresJobs jobs,
            Graphs graphs,
            TaskViews tasks,
            RedisLook look,
            QueueLimits limits,
            InstantSource clock) {
        this.jobs = jobs;
        this.graphs = graphs;
        this.tasks = tasks;
        this.look = look;
        this.limits = limits;
        this.clock = clock;
    }

    Optional<Why> why(String id, String task) {
        return jobs.find(id).flatMap(job -> {
            Graph graph = graphs.of(job);
            return graph.find(task).map(place -> why(job, graph, place));
        });
    }

    private Why why(StoredJob job, Graph graph, int place) {
        TaskView view =
                tasks.views(job, List.of(graph.task(place)), Results.NONE).getFirst();
        return switch (view.status()) {
            case WAITING -> waiting(job, graph, place);
            case READY -> new Why(view.status(), ready(job, view.spec()), List.of());
            case SKIPPED -> new Why(view.status(), skipped(job, graph, place), List.of());
            default -> new Why(view.status(), said(view), List.of());
        };
    }

    private static String said(TaskView view) {
        String error = view.error() == null ? "" : ": " + view.error();
        return switch (view.status()) {
            case DELAYED ->
                "attempt " + view.attempt() + " failed" + error + "; it is tried again"
                        + (view.dueAt() == null ? "" : " at " + view.dueAt());
            case RUNNING ->
                "attempt " + view.attempt() + " is under way"
                        + (view.worker() == null ? "" : " at " + view.worker())
                        + (view.leaseUntil() == null
                                ? "; its lease ran out, and it is looked up whether its effects were committed"
                                : ", leased until " + view.leaseUntil());
            case SUCCEEDED -> "attempt " + view.attempt() + " succeeded";
            case FAILED -> "attempt " + view.attempt() + " failed, and no other is left" + error;
            default -> "the job was cancelled before it ended";
        };
    }

    private Why waiting(StoredJob job, Graph graph, int place) {
        List<Why.Need> blocking = needs(job, graph, place).stream()
                .filter(need -> !need.status().isTerminal())
                .limit(MOST_NEEDS)
                .toList();
        TaskSpec task = graph.task(place);
        String reason = blocking.isEmpty()
                ? heldBack(job).orElse(job.published() ? "it is about to begin" : "the job has not reached Redis yet")
                : "it waits for " + blocking.size() + (blocking.size() == MOST_NEEDS ? " or more" : "") + " of "
                        + task.needs().size() + " tasks that it needs, by the rule "
                        + task.trigger().word();
        return new Why(TaskStatus.WAITING, reason, blocking);
    }

    /** What keeps the job from beginning anything, if anything does. */
    private Optional<String> heldBack(StoredJob job) {
        if (job.shown() == JobStatus.PAUSED) {
            return Optional.of("it could begin, but the job is paused");
        }
        return Optional.ofNullable(job.startAt())
                .filter(startAt -> startAt.isAfter(clock.instant()))
                .map(startAt -> "the job begins at " + startAt);
    }

    private String ready(StoredJob job, TaskSpec task) {
        return heldBack(job).orElseGet(() -> awaited(task));
    }

    private String awaited(TaskSpec task) {
        Integer limit = limits.known().get(task.queue());
        boolean asked = look.askers().stream().anyMatch(asker -> asker.queues().contains(task.queue()));
        return "it waits for a worker that takes \"" + task.run().lane() + "\" of the queue \"" + task.queue() + "\""
                + (asked ? "" : "; nobody has asked for tasks of that queue lately")
                + (limit == null ? "" : "; " + (limit == 0 ? "none" : "at most " + limit) + " of that queue may run");
    }

    private String skipped(StoredJob job, Graph graph, int place) {
        String causes = needs(job, graph, place).stream()
                .filter(need -> need.status().isTerminal() && need.status() != TaskStatus.SUCCEEDED)
                .limit(3)
                .map(need -> need.task() + " is " + need.status())
                .collect(Collectors.joining(", "));
        return "its rule " + graph.task(place).trigger().word() + " cannot come true"
                + (causes.isEmpty() ? "" : ": " + causes);
    }

    private List<Why.Need> needs(StoredJob job, Graph graph, int place) {
        List<TaskSpec> specs = graph.needs(place).stream()
                .limit(MOST_LOOKED_AT)
                .map(graph::task)
                .toList();
        List<Why.Need> needs = new ArrayList<>();
        for (int from = 0; from < specs.size(); from += AT_ONCE) {
            tasks.views(job, specs.subList(from, Math.min(from + AT_ONCE, specs.size())), Results.NONE)
                    .forEach(view -> needs.add(new Why.Need(view.spec().id(), view.status())));
        }
        return needs;
    }
}
