package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.RedisControl.Told;
import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.store.Database;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What people do to a job: it holds once PostgreSQL has it, and Redis hears of it at once or from the publisher. */
final class Control {
    private static final Logger log = LoggerFactory.getLogger(Control.class);

    /** What is decided anew while Redis is told is told by whoever decides it, too. */
    private static final int CHANGES = 10;

    private final Database database;
    private final PostgresControl stored;
    private final RedisControl live;
    private final Publication publication;
    private final RedisGraphs redis;
    private final Graphs graphs;
    private final PostgresTasks tasks;
    private final RedisLook look;
    private final EndedLogs logs;

    Control(
            Database database,
            PostgresControl stored,
            RedisControl live,
            Publication publication,
            RedisGraphs redis,
            Graphs graphs,
            PostgresTasks tasks,
            RedisLook look,
            EndedLogs logs) {
        this.database = database;
        this.stored = stored;
        this.live = live;
        this.publication = publication;
        this.redis = redis;
        this.graphs = graphs;
        this.tasks = tasks;
        this.look = look;
        this.logs = logs;
    }

    /** @throws JobStateException where it has ended otherwise, as far as PostgreSQL or Redis knows */
    StoredJob want(String id, Intent intent) {
        StoredJob job = stored.want(id, intent);
        if (job.hasEnded() || database.isInTransaction()) {
            // What is decided in somebody's transaction Redis hears of some seconds after its end, by the publisher.
            return job;
        }
        try {
            if (tell(job) == Told.ENDED && !(intent == Intent.CANCEL && isCancelled(id))) {
                stored.forget(id, intent);
                throw new JobStateException("the job \"" + id + "\" has ended just now");
            }
        } catch (HotstateException notNow) {
            log.debug("{} of {} is told to Redis later: {}", intent, id, notNow.getMessage());
        }
        return job;
    }

    /**
     * A job that Redis does not have, or not in this epoch, is loaded first; then whoever else loads it finds it there, and
     * as it should be.
     */
    Told tell(StoredJob job) {
        Told first = tellOnce(job);
        Told last = first;
        Optional<StoredJob> changed = noted(job, last);
        // Two who decide at once may reach Redis in the other order: who comes last says what PostgreSQL has.
        for (int i = 0; i < CHANGES && changed.isPresent(); i++) {
            last = tellOnce(changed.get());
            changed = noted(changed.get(), last);
        }
        return first;
    }

    private Told tellOnce(StoredJob job) {
        Told told = job.published() ? say(job) : Told.UNKNOWN;
        if (told == Told.UNKNOWN) {
            publication.again(job, redis);
            told = say(job);
        }
        return told;
    }

    /** Of a job that is unknown still: it has ended, or somebody is loading it, and the publisher comes back to it. */
    private Optional<StoredJob> noted(StoredJob job, Told told) {
        return told == Told.UNKNOWN ? Optional.empty() : stored.told(job);
    }

    /** Cancelling twice is as good as once; what Redis has let go of meanwhile, PostgreSQL knows. */
    private boolean isCancelled(String id) {
        return look.job(id).map(job -> job.status() == JobStatus.CANCELLED).orElseGet(() -> stored.isCancelled(id));
    }

    StoredJob rerun(String id, Rerun which) {
        // With the first piece of the new epoch Redis lets go of all lines, also of tasks that stay as they are.
        logs.keepUnlessRetired(id, job -> ids(graphs.of(job)));
        StoredJob job = stored.rerun(id, ended -> chosen(graphs.of(ended), ended, which));
        if (database.isInTransaction()) {
            return job;
        }
        try {
            publication.again(job, redis);
        } catch (HotstateException notNow) {
            log.debug("{} is published later: {}", id, notNow.getMessage());
        }
        return job;
    }

    private static List<String> ids(Graph graph) {
        return graph.job().tasks().stream().map(TaskSpec::id).toList();
    }

    private Told say(StoredJob job) {
        return switch (job.intent()) {
            case CANCEL -> live.cancel(job.id(), job.epoch());
            case PAUSE -> live.pause(job.id(), job.epoch());
            case NONE -> live.resume(job.id(), job.epoch());
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
        Map<String, TaskStatus> known = tasks.states(job.id());
        Set<Integer> found = new LinkedHashSet<>();
        for (int task = 0; task < graph.size(); task++) {
            if (known.get(graph.task(task).id()) != TaskStatus.SUCCEEDED) {
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
