package dev.hotstate.jobs;

import dev.hotstate.jobs.PostgresTasks.Outline;
import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.Progress;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.jobs.graph.Trigger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a job comes to Redis: the same way when it is submitted, when it was left unpublished, when it runs again, and when
 * Redis was lost. It can be repeated, and by several at once.
 */
final class Publication {
    private static final Outline NOTHING = new Outline(TaskStatus.WAITING, 0, 0);

    private final Graphs graphs;
    private final PostgresTasks tasks;
    private final PostgresArchive archive;
    private final InstantSource clock;

    Publication(Graphs graphs, PostgresTasks tasks, PostgresArchive archive, InstantSource clock) {
        this.graphs = graphs;
        this.tasks = tasks;
        this.archive = archive;
        this.clock = clock;
    }

    /** One of which PostgreSQL knows nothing but its submission. */
    void submitted(StoredJob job, Graph graph, RedisGraphs redis) {
        load(job, graph, Map.of(), redis);
    }

    /** One that may have come far. Where nothing is left to do, it has ended, and Redis is not told. */
    void again(StoredJob job, RedisGraphs redis) {
        load(job, graphs.of(job), tasks.outlines(job.id()), redis);
    }

    private void load(StoredJob job, Graph graph, Map<String, Outline> known, RedisGraphs redis) {
        Map<String, TaskStatus> states = new HashMap<>();
        known.forEach((id, task) -> states.put(id, task.status()));
        Progress progress = Progress.of(graph, states);
        archiveSkipped(job, graph, progress, states);
        if (progress.open() == 0) {
            JobStatus status = progress.count(TaskStatus.FAILED) > 0 ? JobStatus.FAILED : JobStatus.SUCCEEDED;
            archive.finish(job.id(), job.epoch(), status, clock.instant());
        } else {
            redis.load(
                    head(job, graph, progress), cells(graph, progress, known), some -> tasks.results(job.id(), some));
        }
    }

    /** What follows from archived ends and was not archived itself would be told by nobody: Redis has it as it is. */
    private void archiveSkipped(StoredJob job, Graph graph, Progress progress, Map<String, TaskStatus> states) {
        if (progress.count(TaskStatus.SKIPPED) == 0) {
            return;
        }
        Instant at = clock.instant();
        List<Transition> skipped = new ArrayList<>();
        for (int task = 0; task < graph.size(); task++) {
            String id = graph.task(task).id();
            if (progress.status(task) == TaskStatus.SKIPPED && states.get(id) != TaskStatus.SKIPPED) {
                skipped.add(new Transition(
                        job.id(), id, job.epoch(), 0, TaskStatus.SKIPPED.name(), at, null, null, null, null, false));
            }
        }
        archive.apply(skipped);
    }

    private static JobHead head(StoredJob job, Graph graph, Progress progress) {
        return new JobHead(
                job.id(),
                job.name(),
                job.createdBy(),
                job.createdAt(),
                job.epoch(),
                status(job),
                graph.size(),
                progress.open(),
                progress.count(TaskStatus.SUCCEEDED),
                progress.count(TaskStatus.FAILED),
                progress.count(TaskStatus.SKIPPED),
                graph.job().tasks().stream().anyMatch(task -> task.trigger() != Trigger.ALL_SUCCESS),
                job.startedAt() == null ? job.startAt() : null);
    }

    private static JobStatus status(StoredJob job) {
        // One that is to be cancelled hands out nothing until Redis has heard of that.
        return job.intent() == Intent.NONE ? job.status() : JobStatus.PAUSED;
    }

    private static List<TaskCell> cells(Graph graph, Progress progress, Map<String, Outline> known) {
        List<TaskCell> cells = new ArrayList<>(graph.size());
        for (int task = 0; task < graph.size(); task++) {
            Outline before = known.getOrDefault(graph.task(task).id(), NOTHING);
            List<Integer> dependents = graph.dependents(task);
            // What it has given is for those that need it: where all of them have ended, nobody will be handed it.
            boolean wanted = dependents.stream()
                    .anyMatch(dependent -> !progress.status(dependent).isTerminal());
            cells.add(new TaskCell(
                    graph.task(task),
                    progress.status(task),
                    before.attempt(),
                    progress.remaining(task),
                    progress.failed(task),
                    progress.other(task),
                    dependents.stream()
                            .map(dependent -> graph.task(dependent).id())
                            .toList(),
                    null,
                    wanted ? before.resultLength() : 0));
        }
        return cells;
    }
}
