package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.RedisControl.Told;
import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.TaskStatus;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What people do to a job: it holds once PostgreSQL has it, and Redis hears of it at once or from the publisher. */
final class Control {
    private static final Logger log = LoggerFactory.getLogger(Control.class);

    private final PostgresControl stored;
    private final RedisControl live;
    private final Publication publication;
    private final RedisGraphs redis;
    private final Graphs graphs;
    private final PostgresTasks tasks;

    Control(
            PostgresControl stored,
            RedisControl live,
            Publication publication,
            RedisGraphs redis,
            Graphs graphs,
            PostgresTasks tasks) {
        this.stored = stored;
        this.live = live;
        this.publication = publication;
        this.redis = redis;
        this.graphs = graphs;
        this.tasks = tasks;
    }

    StoredJob want(String id, Intent intent) {
        StoredJob job = stored.want(id, intent);
        Told told = Told.UNKNOWN;
        try {
            told = tell(job);
        } catch (HotstateException notNow) {
            log.debug("{} of {} is told to Redis later: {}", intent, id, notNow.getMessage());
        }
        if (told == Told.ENDED) {
            throw new JobStateException("the job \"" + id + "\" has ended just now");
        }
        return job;
    }

    /** A job that Redis does not have is loaded first; then whoever else loads it finds it there, and as it should be. */
    Told tell(StoredJob job) {
        Told told = say(job);
        if (told == Told.UNKNOWN) {
            publication.again(job, redis);
            told = say(job);
        }
        if (told == Told.UNKNOWN) {
            // It has ended, or somebody is still loading it: that is seen to in its turn.
            return told;
        }
        stored.told(job.id(), job.intent());
        return told;
    }

    StoredJob rerun(String id, Rerun which) {
        StoredJob job = stored.rerun(id, ended -> chosen(graphs.of(id), ended, which));
        try {
            publication.again(job, redis);
        } catch (HotstateException notNow) {
            log.debug("{} is published later: {}", id, notNow.getMessage());
        }
        return job;
    }

    private Told say(StoredJob job) {
        return switch (job.intent()) {
            case CANCEL -> live.cancel(job.id());
            case PAUSE -> live.pause(job.id());
            case NONE -> live.resume(job.id());
        };
    }

    private Collection<String> chosen(Graph graph, StoredJob job, Rerun which) {
        Set<Integer> places = switch (which) {
            case Rerun.FromFailed failed -> unsuccessful(graph, job);
            case Rerun.FromTask from ->
                withDependents(
                        graph,
                        graph.find(from.task())
                                .orElseThrow(() -> new UnknownJobException(
                                        "there is no task \"" + from.task() + "\" in the job \"" + job.id() + "\"")));
        };
        if (places.isEmpty()) {
            throw new JobStateException("in the job \"" + job.id() + "\" every task has succeeded");
        }
        return places.stream().map(place -> graph.task(place).id()).toList();
    }

    private Set<Integer> unsuccessful(Graph graph, StoredJob job) {
        Map<String, StoredTask> known = tasks.all(job.id());
        Set<Integer> found = new LinkedHashSet<>();
        for (int task = 0; task < graph.size(); task++) {
            StoredTask state = known.get(graph.task(task).id());
            if (state == null || state.status() != TaskStatus.SUCCEEDED) {
                found.add(task);
            }
        }
        return found;
    }

    /** What has run on the grounds of a state that is taken back runs again too. */
    private static Set<Integer> withDependents(Graph graph, int first) {
        Set<Integer> all = new LinkedHashSet<>(Set.of(first));
        Deque<Integer> next = new ArrayDeque<>(all);
        while (!next.isEmpty()) {
            for (int dependent : graph.dependents(next.pop())) {
                if (all.add(dependent)) {
                    next.push(dependent);
                }
            }
        }
        return all;
    }
}
