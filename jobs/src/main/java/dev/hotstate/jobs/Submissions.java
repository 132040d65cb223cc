package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.PostgresJobs.Inserted;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.store.Database;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs on their way in: committed as unpublished, then told to Redis; where that fails, any instance does it later. Who submits
 * a job in a transaction of their own submits it with that: Redis hears of it once it is committed.
 */
final class Submissions {
    private static final Logger log = LoggerFactory.getLogger(Submissions.class);

    private final Database database;
    private final PostgresJobs jobs;
    private final Graphs graphs;
    private final Publication publication;
    private final RedisGraphs redis;
    private final InstantSource clock;

    Submissions(
            Database database,
            PostgresJobs jobs,
            Graphs graphs,
            Publication publication,
            RedisGraphs redis,
            InstantSource clock) {
        this.database = database;
        this.jobs = jobs;
        this.graphs = graphs;
        this.publication = publication;
        this.redis = redis;
        this.clock = clock;
    }

    Inserted submit(JobSpec job) {
        Graph graph = Graph.of(job);
        Inserted inserted = jobs.insert(job, clock.instant());
        database.afterCommit(() -> publish(inserted, graph));
        return inserted;
    }

    private void publish(Inserted inserted, Graph graph) {
        if (inserted.created()) {
            graphs.remember(graph, inserted.job().number());
            publish(inserted.job(), () -> publication.submitted(inserted.job(), graph, redis));
        } else {
            publish(inserted.job());
        }
    }

    /** One that is committed, but that Redis has not heard of. */
    void publish(StoredJob job) {
        if (!job.published() && !job.hasEnded()) {
            publish(job, () -> publication.again(job, redis));
        }
    }

    /** The job is promised by now, so that nothing here is the submitter's concern. */
    private void publish(StoredJob job, Runnable load) {
        try {
            load.run();
        } catch (HotstateException notNow) {
            log.debug("{} is published later: {}", job.id(), notNow.getMessage());
            hurry(job);
        }
    }

    /** Whoever looks next need not wait until this submission could have ended. */
    private void hurry(StoredJob job) {
        try {
            jobs.lookSoon(job.id());
        } catch (HotstateException notNow) {
            log.debug("{} is looked at in its turn: {}", job.id(), notNow.getMessage());
        }
    }
}
