package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Slice;
import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jobs as they are shown: under way as Redis has them, else as PostgreSQL does. Without Redis, as PostgreSQL last heard. */
final class JobViews {
    private static final Logger log = LoggerFactory.getLogger(JobViews.class);

    /** Of those that have not ended, the newest are looked at for the state that they are in by now. */
    private static final int MOST_MOVING = 100;

    private final PostgresJobs stored;
    private final PostgresTasks tasks;
    private final RedisLook live;

    JobViews(PostgresJobs stored, PostgresTasks tasks, RedisLook live) {
        this.stored = stored;
        this.tasks = tasks;
        this.live = live;
    }

    Optional<JobView> find(String id) {
        return stored.find(id).map(this::view);
    }

    Slice<JobView> list(@Nullable JobStatus status, @Nullable String q, int limit, @Nullable String cursor) {
        long before = before(cursor);
        // Asked first: what ends between the two is in the other.
        List<StoredJob> moving = status == null ? List.of() : stored.listUnfinished(q, MOST_MOVING, before);
        List<StoredJob> found = stored.list(status, q, limit + 1, before);
        boolean isLast = found.size() <= limit;
        List<StoredJob> page = isLast ? found : found.subList(0, limit);
        return slice(
                status,
                limit,
                together(page, moving, isLast ? 0 : page.getLast().number()),
                isLast);
    }

    /** Redis may know better than PostgreSQL which state a job is in: one of another state is not of this list. */
    private Slice<JobView> slice(@Nullable JobStatus status, int limit, List<StoredJob> jobs, boolean isLast) {
        List<JobView> views = new ArrayList<>();
        String next = isLast ? null : Long.toString(jobs.getLast().number());
        long last = 0;
        for (StoredJob job : jobs) {
            JobView view = view(job);
            if (status != null && view.status() != status) {
                continue;
            }
            if (views.size() == limit) {
                return new Slice<>(views, Long.toString(last));
            }
            views.add(view);
            last = job.number();
        }
        return new Slice<>(views, next);
    }

    /** Newest first, and of the others only those that are of the same part of the list. */
    private static List<StoredJob> together(List<StoredJob> page, List<StoredJob> others, long from) {
        Map<Long, StoredJob> all = new TreeMap<>(Comparator.reverseOrder());
        others.stream().filter(job -> job.number() > from).forEach(job -> all.put(job.number(), job));
        page.forEach(job -> all.put(job.number(), job));
        return List.copyOf(all.values());
    }

    JobView view(StoredJob job) {
        return live(job).map(now -> view(job, now)).orElseGet(() -> asStored(job, ended(job)));
    }

    /** A job to which nothing has happened yet. */
    static JobView submitted(StoredJob job) {
        return asStored(job, Map.of());
    }

    private static JobView asStored(StoredJob job, Map<TaskStatus, Integer> ended) {
        return view(job, job.shown(), counts(job, ended), job.startedAt(), job.finishedAt(), false);
    }

    private Map<TaskStatus, Integer> ended(StoredJob job) {
        return job.hasEnded()
                ? Map.of(
                        TaskStatus.SUCCEEDED, job.succeeded(),
                        TaskStatus.FAILED, job.failed(),
                        TaskStatus.SKIPPED, job.skipped())
                : tasks.ended(job.id());
    }

    /** Empty where it has ended, where Redis does not have this epoch of it, and where Redis cannot be asked. */
    Optional<LiveJob> live(StoredJob job) {
        if (job.hasEnded()) {
            return Optional.empty();
        }
        try {
            return live.job(job.id()).filter(now -> now.epoch() == job.epoch());
        } catch (HotstateException away) {
            log.debug("{} is shown as PostgreSQL has it: {}", job.id(), away.getMessage());
            return Optional.empty();
        }
    }

    private static JobView view(StoredJob job, LiveJob now) {
        // Redis does not know when a job began that was brought back to it.
        var startedAt = now.startedAt() == null ? job.startedAt() : now.startedAt();
        return view(job, status(job, now.status()), now.counts(), startedAt, now.finishedAt(), true);
    }

    /** As Redis has it, unless it has not heard yet of what was decided. */
    private static JobStatus status(StoredJob job, JobStatus now) {
        boolean resumed = job.intent() == Intent.NONE && now != JobStatus.PAUSED;
        return job.told() || now.isTerminal() || resumed ? now : job.shown();
    }

    private static JobView view(
            StoredJob job,
            JobStatus status,
            Map<TaskStatus, Integer> counts,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            boolean isLive) {
        return new JobView(
                job.id(),
                job.name(),
                job.createdBy(),
                status,
                job.priority(),
                job.queue(),
                job.epoch(),
                job.tasks(),
                counts,
                job.createdAt(),
                job.startAt(),
                startedAt,
                finishedAt,
                isLive);
    }

    private static Map<TaskStatus, Integer> counts(StoredJob job, Map<TaskStatus, Integer> ended) {
        Map<TaskStatus, Integer> counts = new EnumMap<>(TaskStatus.class);
        for (TaskStatus status : TaskStatus.values()) {
            counts.put(status, ended.getOrDefault(status, 0));
        }
        int others = job.tasks()
                - ended.values().stream().mapToInt(Integer::intValue).sum();
        counts.merge(
                job.shown() == JobStatus.CANCELLED ? TaskStatus.CANCELLED : TaskStatus.WAITING, others, Integer::sum);
        return counts;
    }

    private static long before(@Nullable String cursor) {
        try {
            return cursor == null ? Long.MAX_VALUE : Long.parseLong(cursor);
        } catch (NumberFormatException unknown) {
            throw new IllegalArgumentException("cursor \"" + cursor + "\" was not given by a list of jobs", unknown);
        }
    }
}
