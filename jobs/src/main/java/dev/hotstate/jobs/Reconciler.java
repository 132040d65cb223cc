package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares unfinished jobs in PostgreSQL with Redis, some hundreds a call. A job that Redis should have and has not is
 * loaded again; one that has ended in Redis, and whose end has not arrived here for a minute, is archived as Redis has it;
 * one that is paused in Redis alone, or here alone, is told what is wanted of it. Of one of which nothing was archived for some
 * minutes all tasks are looked at: those that nothing will ever move on are reported, and people have to see to them. None of
 * it should ever happen; each is told of.
 */
final class Reconciler {
    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
    private static final int AT_ONCE = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration QUIET = Duration.ofMinutes(3);
    private static final int NAMED = 5;

    private final PostgresJobs jobs;
    private final PostgresControl control;
    private final PostgresArchive archive;
    private final Graphs graphs;
    private final RedisLook look;
    private final InstantSource clock;
    private final PostgresTasks tasks;
    private String after = "";
    private Set<String> found = new HashSet<>();
    private volatile Set<String> stuck = Set.of();

    Reconciler(
            PostgresJobs jobs,
            PostgresControl control,
            PostgresArchive archive,
            PostgresTasks tasks,
            Graphs graphs,
            RedisLook look,
            InstantSource clock) {
        this.jobs = jobs;
        this.control = control;
        this.archive = archive;
        this.tasks = tasks;
        this.graphs = graphs;
        this.look = look;
        this.clock = clock;
    }

    /** Goes on where the last call ended. */
    synchronized void look() {
        List<StoredJob> page = jobs.underWay(after, AT_ONCE);
        for (StoredJob job : page) {
            try {
                compare(job);
            } catch (HotstateException notNow) {
                log.debug("{} is compared later: {}", job.id(), notNow.getMessage());
            } catch (RuntimeException broken) {
                // One job that cannot be compared must not keep the others from it.
                log.error("{} cannot be compared", job.id(), broken);
            }
        }
        after = page.size() < AT_ONCE ? "" : page.getLast().id();
        if (after.isEmpty()) {
            stuck = Set.copyOf(found);
            found = new HashSet<>();
        }
    }

    /** Jobs that were seen to be stuck, as of the last time that all were looked at. */
    Set<String> stuck() {
        return stuck;
    }

    private void compare(StoredJob job) {
        Optional<LiveJob> live = look.job(job.id()).filter(now -> now.epoch() == job.epoch());
        if (live.isEmpty()) {
            // Asked in this order, a job that ends and expires meanwhile is not taken for a lost one.
            if (control.unpublished(job.id(), job.epoch())) {
                log.warn("The job {} was not in Redis, and is loaded again", job.id());
            }
        } else if (live.get().status().isTerminal() && isOverdue(live.get())) {
            log.warn("The end of the job {} had not reached PostgreSQL, and is written now", job.id());
            archive.apply(transitions(job, live.get()));
        } else if (!live.get().status().isTerminal() && !agrees(job, live.get()) && control.untold(job)) {
            log.warn(
                    "The job {} was {} in Redis, and is told its intent again",
                    job.id(),
                    live.get().status());
        } else if (!live.get().status().isTerminal() && tasks.isQuiet(job.id(), QUIET)) {
            check(job);
        }
    }

    private void check(StoredJob job) {
        Set<String> ids = look.stuck(
                job.id(),
                graphs.of(job).job().tasks().stream().map(TaskSpec::id).toList());
        if (!ids.isEmpty()) {
            found.add(job.id());
            log.error(
                    "The job {} is stuck: {}. Cancel it, and run it again",
                    job.id(),
                    ids.contains("")
                            ? "its tasks wait, and none of them moves"
                            : "nothing moves " + ids.stream().limit(NAMED).toList()
                                    + (ids.size() > NAMED ? " and " + (ids.size() - NAMED) + " more" : ""));
        }
    }

    private static boolean agrees(StoredJob job, LiveJob live) {
        return switch (job.intent()) {
            case NONE -> live.status() != JobStatus.PAUSED;
            case PAUSE -> live.status() == JobStatus.PAUSED;
            case CANCEL -> false;
        };
    }

    private boolean isOverdue(LiveJob live) {
        Instant finished = live.finishedAt();
        return finished != null && finished.isBefore(clock.instant().minus(PATIENCE));
    }

    private List<Transition> transitions(StoredJob job, LiveJob live) {
        Graph graph = graphs.of(job);
        List<String> ids = graph.job().tasks().stream().map(TaskSpec::id).toList();
        Instant at = Objects.requireNonNullElseGet(live.finishedAt(), clock::instant);
        List<Transition> all = new ArrayList<>();
        for (Map.Entry<String, LiveTask> task : look.tasks(job.id(), ids).entrySet()) {
            LiveTask now = task.getValue();
            if (now.status() != TaskStatus.SKIPPED && now.startedAt() == null) {
                // It had ended when the job was loaded, and so it is here.
                continue;
            }
            switch (now.status()) {
                case SUCCEEDED, FAILED, SKIPPED ->
                    all.add(new Transition(
                            job.id(),
                            task.getKey(),
                            job.epoch(),
                            now.attempt(),
                            now.status().name(),
                            Objects.requireNonNullElse(now.finishedAt(), at),
                            now.startedAt(),
                            now.worker(),
                            now.error(),
                            now.result(),
                            now.logged() > 0));
                default -> {}
            }
        }
        all.add(new Transition(
                job.id(), "", job.epoch(), 0, live.status().name(), at, live.startedAt(), null, null, null, false));
        return all;
    }
}
