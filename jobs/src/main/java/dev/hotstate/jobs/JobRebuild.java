package dev.hotstate.jobs;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Rebuild;
import dev.hotstate.core.RedisRefusedException;
import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.JobStatus;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings unfinished jobs back after Redis lost them. What the archive has stays as it ended; what had not reached it runs
 * again. A page is as many jobs as have some thousands of tasks together, so that it ends well within its lease; a job that
 * would take longer by itself is left to the publisher, which has all the time it needs once the partition is ready.
 */
final class JobRebuild implements Rebuild {
    private static final Logger log = LoggerFactory.getLogger(JobRebuild.class);
    private static final int JOBS = 100;
    private static final int TASKS = 10_000;
    static final int LARGE = 20_000;

    private final PostgresJobs jobs;
    private final PostgresControl control;
    private final PostgresArchive archive;
    private final Publication publication;
    private final RedisGraphs redis;
    private final Partitions partitions;
    private final InstantSource clock;

    JobRebuild(
            PostgresJobs jobs,
            PostgresControl control,
            PostgresArchive archive,
            Publication publication,
            RedisGraphs redis,
            Partitions partitions,
            InstantSource clock) {
        this.jobs = jobs;
        this.control = control;
        this.archive = archive;
        this.publication = publication;
        this.redis = redis;
        this.partitions = partitions;
        this.clock = clock;
    }

    @Override
    public Page load(Partition partition, Pass pass, @Nullable String cursor) {
        // A partition that was retired, because there are fewer now, is wiped and never loaded.
        int place = partitions.all().indexOf(partition);
        List<StoredJob> page = jobs.unfinished(place, partitions.all().size(), cursor == null ? "" : cursor, JOBS);
        int tasks = 0;
        int done = 0;
        for (StoredJob job : page) {
            if (tasks > TASKS) {
                break;
            }
            bringBack(job, redis.under(pass));
            tasks += job.tasks() > LARGE ? 0 : job.tasks();
            done++;
        }
        return done == page.size() && page.size() < JOBS
                ? Page.last(done)
                : Page.upTo(done, page.get(done - 1).id());
    }

    private void bringBack(StoredJob job, RedisGraphs rebuilding) {
        if (job.intent() == Intent.CANCEL) {
            archive.finish(job.id(), job.epoch(), JobStatus.CANCELLED, clock.instant());
            return;
        }
        if (job.tasks() > LARGE) {
            control.unpublished(job.id(), job.epoch());
            return;
        }
        try {
            publication.again(job, rebuilding);
        } catch (IllegalArgumentException unreadable) {
            // One document that cannot be read must not keep all other jobs from coming back.
            log.error("{} cannot be read, and does not come back: {}", job.id(), unreadable.getMessage());
        } catch (RedisRefusedException refused) {
            log.error("{} is not taken by Redis, and is left to the publisher", job.id(), refused);
            control.unpublished(job.id(), job.epoch());
        }
    }
}
