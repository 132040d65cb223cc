package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.RedisRefusedException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells Redis what it should have heard of and has not: jobs whose publisher died, and what was decided meanwhile. */
final class Publisher {
    private static final Logger log = LoggerFactory.getLogger(Publisher.class);
    private static final int AT_ONCE = 20;

    private final PostgresJobs jobs;
    private final Publication publication;
    private final RedisGraphs redis;
    private final Control control;

    Publisher(PostgresJobs jobs, Publication publication, RedisGraphs redis, Control control) {
        this.jobs = jobs;
        this.publication = publication;
        this.redis = redis;
        this.control = control;
    }

    /** Takes up what has waited for two seconds, until there is no more. */
    void publishLeftovers() {
        List<StoredJob> untold;
        do {
            untold = jobs.takeUntold(AT_ONCE);
            untold.forEach(this::tell);
        } while (untold.size() == AT_ONCE);
    }

    private void tell(StoredJob job) {
        try {
            if (!job.published()) {
                publication.again(job, redis);
                jobs.published(job.id(), job.epoch());
            }
            if (!job.told()) {
                control.tell(job);
            }
        } catch (RedisRefusedException refused) {
            log.error("{} is not taken by Redis", job.id(), refused);
        } catch (HotstateException notNow) {
            log.debug("{} is told to Redis later: {}", job.id(), notNow.getMessage());
        } catch (RuntimeException broken) {
            // One job that cannot be told must not keep the others from it.
            log.error("{} cannot be told to Redis", job.id(), broken);
        }
    }
}
