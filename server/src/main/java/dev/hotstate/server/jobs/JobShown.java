package dev.hotstate.server.jobs;

import dev.hotstate.jobs.JobView;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is answered.
 *
 * @param counts tasks by state, each state there is
 * @param progress the share of its tasks that have ended, 0 to 1
 * @param live whether Redis says so; else it is as PostgreSQL last heard
 */
record JobShown(
        String id,
        String name,
        String createdBy,
        JobStatus status,
        int priority,
        String queue,
        int epoch,
        int tasks,
        Map<String, Integer> counts,
        double progress,
        Instant createdAt,
        @Nullable Instant startAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        boolean live) {

    static JobShown of(JobView job) {
        var counts = new LinkedHashMap<String, Integer>();
        int ended = 0;
        for (var status : TaskStatus.values()) {
            int count = job.counts().getOrDefault(status, 0);
            counts.put(status.name().toLowerCase(Locale.ROOT), count);
            ended += status.isTerminal() ? count : 0;
        }
        return new JobShown(
                job.id(),
                job.name(),
                job.createdBy(),
                job.status(),
                job.priority(),
                job.queue(),
                job.epoch(),
                job.tasks(),
                counts,
                job.tasks() == 0 ? 1 : (double) ended / job.tasks(),
                job.createdAt(),
                job.startAt(),
                job.startedAt(),
                job.finishedAt(),
                job.live());
    }
}
