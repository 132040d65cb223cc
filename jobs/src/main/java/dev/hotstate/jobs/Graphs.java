package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobDocument;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The graphs of jobs, which never change: those used last are in memory, up to 300,000 tasks of them. */
final class Graphs {
    private static final int MOST_TASKS = 300_000;

    private final PostgresJobs jobs;
    private final Map<String, Graph> recent = new LinkedHashMap<>(16, 0.75f, true);
    private int tasks;

    Graphs(PostgresJobs jobs) {
        this.jobs = jobs;
    }

    Optional<Graph> find(String job) {
        Graph known = known(job);
        return known != null
                ? Optional.of(known)
                : jobs.document(job).map(JobDocument::stored).map(this::remember);
    }

    /** @throws UnknownJobException where there is no such job */
    Graph of(String job) {
        return find(job).orElseThrow(() -> new UnknownJobException("there is no job \"" + job + "\""));
    }

    synchronized Graph remember(Graph graph) {
        Graph before = recent.put(graph.job().id(), graph);
        tasks += graph.size() - (before == null ? 0 : before.size());
        Iterator<Graph> oldest = recent.values().iterator();
        while (tasks > MOST_TASKS && recent.size() > 1) {
            tasks -= oldest.next().size();
            oldest.remove();
        }
        return graph;
    }

    private synchronized @Nullable Graph known(String job) {
        return recent.get(job);
    }
}
