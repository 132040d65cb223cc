package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobDocument;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.jobs.graph.TaskSpec;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The graphs of jobs, which never change: those used last are in memory, up to some 128 MB of them. One that is larger
 * than half of that is read each time. A job is its id and its number: an id is another's once its job was forgotten.
 */
final class Graphs {
    private static final long MOST = 128L << 20;

    /** What a task weighs beside its texts, and a need beside its id. */
    private static final int TASK = 250;

    private static final int NEED = 20;

    private final PostgresJobs jobs;
    private final Map<String, Kept> recent = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;

    Graphs(PostgresJobs jobs) {
        this.jobs = jobs;
    }

    Optional<Graph> find(String job, long number) {
        Graph known = known(job, number);
        return known != null
                ? Optional.of(known)
                : jobs.document(job, number).map(JobDocument::stored).map(graph -> remember(graph, number));
    }

    /** @throws UnknownJobException where there is no such job any more */
    Graph of(StoredJob job) {
        return find(job.id(), job.number())
                .orElseThrow(() -> new UnknownJobException("there is no job \"" + job.id() + "\""));
    }

    Graph remember(Graph graph, long number) {
        long size = weight(graph);
        if (size <= MOST / 2) {
            keep(new Kept(number, graph, size));
        } else {
            drop(graph.job().id());
        }
        return graph;
    }

    private record Kept(long number, Graph graph, long weight) {}

    private synchronized void drop(String job) {
        Kept before = recent.remove(job);
        weight -= before == null ? 0 : before.weight;
    }

    private synchronized void keep(Kept kept) {
        String job = kept.graph.job().id();
        drop(job);
        recent.put(job, kept);
        weight += kept.weight;
        Iterator<Kept> oldest = recent.values().iterator();
        while (weight > MOST) {
            weight -= oldest.next().weight;
            oldest.remove();
        }
    }

    private synchronized @Nullable Graph known(String job, long number) {
        Kept kept = recent.get(job);
        return kept == null || kept.number != number ? null : kept.graph;
    }

    /** Characters, more or less: what a graph holds of memory. */
    static long weight(Graph graph) {
        long weight = 0;
        for (TaskSpec task : graph.job().tasks()) {
            String input = task.input();
            weight += TASK
                    + (input == null ? 0 : input.length())
                    + (long) NEED * task.needs().size();
            weight += weight(task.run());
        }
        return weight;
    }

    /** The same of what one task has to run. */
    static long weight(Run run) {
        return switch (run) {
            case Run.External any -> 0;
            case Run.Handler handler -> handler.name().length();
            case Run.Shell shell -> shell.command().length();
            case Run.Http http -> weight(http);
        };
    }

    private static long weight(Run.Http http) {
        long weight = http.url().length();
        for (Map.Entry<String, String> header : http.headers().entrySet()) {
            weight += TASK + header.getKey().length() + header.getValue().length();
        }
        String body = http.body();
        return weight + (body == null ? 0 : body.length());
    }
}
