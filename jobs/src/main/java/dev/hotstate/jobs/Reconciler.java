package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares unfinished jobs in PostgreSQL with Redis, some hundreds a call. A job that Redis should have and has not is
 * loaded again; one that has ended in Redis, and whose end has not arrived here for a minute, is archived as Redis has it;
 * one that is paused in Redis alone, or here alone, is told what is wanted of it. Of one of which nothing was archived for some
 * minutes all tasks are looked at: those that nothing will ever move on are reported, and people have to see to them. None of
 * it should ever happen; each is told of.
 *
 * <p>Where the archive is more than a minute behind nothing is compared: what is missing here is on its way, and PostgreSQL has
 * enough to do with that.
 */
final class Reconciler {
    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
    private static final int AT_ONCE = 500;
    private static final int TASKS_AT_ONCE = 500;
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
    private final Consumer<List<EndedJob>> onEnd;
    private String after = "";
    private Set<String> found = new HashSet<>();
    private volatile Set<String> stuck = Set.of();

    /** @param onEnd told of jobs whose end was written here */
    Reconciler(
            PostgresJobs jobs,
            PostgresControl control,
            PostgresArchive archive,
            PostgresTasks tasks,
            Graphs graphs,
            RedisLook look,
            InstantSource clock,
            Consumer<List<EndedJob>> onEnd) {
        this.jobs = jobs;
        this.control = control;
        this.archive = archive;
        this.tasks = tasks;
        this.graphs = graphs;
        this.look = look;
        this.clock = clock;
        this.onEnd = onEnd;
    }

    /** Goes on where the last call ended. */
    synchronized void look() {
        Instant overdue = clock.instant().minus(PATIENCE);
        // Asked before PostgreSQL is: what Redis had let go of by then is in PostgreSQL's answer.
        Set<Partition> behind = look.behind(overdue);
        List<StoredJob> page = jobs.underWay(after, AT_ONCE);
        for (StoredJob job : page) {
            after = job.id();
            if (!behind.contains(look.partition(job.id()))) {
                tryToCompare(job, overdue);
            } else if (stuck.contains(job.id())) {
                // Not looked at, it is as it was.
                found.add(job.id());
            }
        }
        if (page.size() < AT_ONCE) {
            after = "";
            stuck = Set.copyOf(found);
            found = new HashSet<>();
        }
    }

    /** Jobs that were seen to be stuck, as of the last time that all were looked at. */
    Set<String> stuck() {
        return stuck;
    }

    /** One job that cannot be compared, or is too large for memory, must not keep the others from it. */
    private void tryToCompare(StoredJob job, Instant overdue) {
        try {
            compare(job, overdue);
        } catch (HotstateException notNow) {
            log.debug("{} is compared later: {}", job.id(), notNow.getMessage());
        } catch (RuntimeException | Error broken) {
            log.error("{} cannot be compared", job.id(), broken);
        }
    }

    private void compare(StoredJob job, Instant overdue) {
        Optional<LiveJob> live = look.job(job.id()).filter(now -> now.epoch() == job.epoch());
        if (live.isEmpty()) {
            // Asked in this order, a job that ends and expires meanwhile is not taken for a lost one.
            if (control.unpublished(job.id(), job.epoch())) {
                log.warn("The job {} was not in Redis, and is loaded again", job.id());
            }
        } else if (live.get().status().isTerminal() && hadEnded(live.get(), overdue)) {
            log.warn("The end of the job {} had not reached PostgreSQL, and is written now", job.id());
            writeEnd(job, live.get());
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
        Set<String> ids = look.stuck(job.id(), ids(job));
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

    private static boolean hadEnded(LiveJob live, Instant by) {
        Instant finished = live.finishedAt();
        return finished != null && finished.isBefore(by);
    }

    /** Its tasks some hundreds at a time, as all that they have given may be more than memory holds; and then its own. */
    private void writeEnd(StoredJob job, LiveJob live) {
        List<String> ids = ids(job);
        Instant at = Objects.requireNonNullElseGet(live.finishedAt(), clock::instant);
        for (int from = 0; from < ids.size(); from += TASKS_AT_ONCE) {
            archive.apply(ended(job, ids.subList(from, Math.min(ids.size(), from + TASKS_AT_ONCE)), at));
        }
        onEnd.accept(archive.apply(List.of(new Transition(
                job.id(), "", job.epoch(), 0, live.status().name(), at, live.startedAt(), null, null, null, false))));
    }

    private List<Transition> ended(StoredJob job, List<String> ids, Instant at) {
        List<Transition> ended = new ArrayList<>();
        look.tasks(job.id(), ids).forEach((id, now) -> {
            // One that had ended when the job was loaded is here already.
            boolean ranHere = now.startedAt() != null || now.status() == TaskStatus.SKIPPED;
            if (ranHere && now.status().isTerminal() && now.status() != TaskStatus.CANCELLED) {
                ended.add(new Transition(
                        job.id(),
                        id,
                        job.epoch(),
                        now.attempt(),
                        now.status().name(),
                        Objects.requireNonNullElse(now.finishedAt(), at),
                        now.startedAt(),
                        now.worker(),
                        now.error(),
                        now.result(),
                        now.logged() > 0));
            }
        });
        return ended;
    }

    private List<String> ids(StoredJob job) {
        return graphs.of(job).job().tasks().stream().map(TaskSpec::id).toList();
    }
}
