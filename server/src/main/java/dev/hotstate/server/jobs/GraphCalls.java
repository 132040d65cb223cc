package dev.hotstate.server.jobs;

import dev.hotstate.core.Slice;
import dev.hotstate.jobs.JobView;
import dev.hotstate.jobs.Jobs;
import dev.hotstate.jobs.TaskView;
import dev.hotstate.jobs.graph.CriticalPath;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as a picture. */
final class GraphCalls {
    private static final int PAGE = 1_000;

    private final Jobs jobs;
    private final InstantSource clock;
    private final Pictures pictures = new Pictures();

    GraphCalls(Jobs jobs, InstantSource clock) {
        this.jobs = jobs;
        this.clock = clock;
    }

    Answer graph(Request request) {
        String id = JobPath.job(request);
        JobView job = jobs.find(id).orElseThrow(() -> JobPath.unknownJob(id));
        List<TaskView> tasks = tasks(id);
        Graph graph = jobs.graph(id).orElseThrow(() -> JobPath.unknownJob(id));
        Picture picture = pictures.of(graph, job.epoch());
        return Answer.ok(new GraphShown(
                job.id(),
                job.status(),
                job.epoch(),
                nodes(tasks, picture),
                edges(graph),
                CriticalPath.of(graph, durations(tasks)),
                picture.width(),
                picture.height()));
    }

    private List<TaskView> tasks(String job) {
        var tasks = new ArrayList<TaskView>();
        String cursor = null;
        do {
            Slice<TaskView> slice = jobs.outline(job, PAGE, cursor);
            tasks.addAll(slice.items());
            cursor = slice.next();
        } while (cursor != null);
        return tasks;
    }

    private static List<Node> nodes(List<TaskView> tasks, Picture picture) {
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < tasks.size(); i++) {
            var task = tasks.get(i);
            nodes.add(new Node(
                    task.spec().id(),
                    task.spec().name(),
                    task.status(),
                    picture.x()[i],
                    picture.y()[i],
                    Picture.WIDTH,
                    Picture.HEIGHT,
                    picture.layers()[i],
                    task.attempt(),
                    task.startedAt(),
                    task.finishedAt()));
        }
        return nodes;
    }

    private static List<Edge> edges(Graph graph) {
        var edges = new ArrayList<Edge>();
        for (int task = 0; task < graph.size(); task++) {
            for (int need : graph.needs(task)) {
                edges.add(new Edge(graph.task(need).id(), graph.task(task).id()));
            }
        }
        return edges;
    }

    /** Of those that have begun: up to now where they have not ended. */
    private Map<String, Duration> durations(List<TaskView> tasks) {
        var durations = new HashMap<String, Duration>();
        var now = clock.instant();
        for (var task : tasks) {
            Instant from = task.startedAt();
            if (from != null) {
                Instant to = task.finishedAt() == null ? now : task.finishedAt();
                durations.put(task.spec().id(), to.isAfter(from) ? Duration.between(from, to) : Duration.ZERO);
            }
        }
        return durations;
    }

    /** @param criticalPath the way through the job that took, or takes, longest */
    private record GraphShown(
            String id,
            JobStatus status,
            int epoch,
            List<Node> nodes,
            List<Edge> edges,
            List<String> criticalPath,
            double width,
            double height) {}

    /** @param layer how many tasks stand before it on the longest way to it */
    private record Node(
            String id,
            String name,
            TaskStatus status,
            double x,
            double y,
            double width,
            double height,
            int layer,
            int attempt,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt) {}

    private record Edge(String from, String to) {}
}
