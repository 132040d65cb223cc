package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Slice;
import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jobs as they are shown: under way as Redis has them, else as PostgreSQL does. Without Redis, as PostgreSQL last heard. */
final class JobViews {
    private static final Logger log = LoggerFactory.getLogger(JobViews.class);

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
        List<StoredJob> found = stored.list(status, q, limit + 1, before(cursor));
        List<StoredJob> page = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit ? Long.toString(page.getLast().number()) : null;
        // Redis may know better than PostgreSQL which state a job is in: one of another state is not of this list.
        List<JobView> views = page.stream()
                .map(this::view)
                .filter(view -> status == null || view.status() == status)
                .toList();
        return new Slice<>(views, next);
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
