package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.jobs.RedisArchive.Drained;
import dev.hotstate.jobs.graph.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what happened from Redis to PostgreSQL: of each partition a batch at a time, let go of in Redis only with the
 * call after the one that committed it. So each transition arrives, now and then twice.
 */
final class Archiver implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Archiver.class);

    /** Entries a batch; one has up to some hundreds of transitions. */
    private static final int BATCH = 100;

    /** A batch that is not full is followed by a pause, in which the next one gathers. */
    private static final Duration GATHER = Duration.ofMillis(25);

    private static final Duration IDLE = Duration.ofMillis(200);
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(1);
    private static final Duration LONGEST_END = Duration.ofSeconds(2);

    private final RedisArchive redis;
    private final PostgresArchive postgres;
    private final Partitions partitions;
    private final String instance;
    private final Consumer<List<EndedJob>> onEnd;
    private final Consumer<JobChange> onChange;
    private final Map<Partition, ArchiveLag> lags = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * @param onEnd told of jobs whose end has been archived
     * @param onChange told of jobs whose state has changed; must not block
     */
    Archiver(
            RedisArchive redis,
            PostgresArchive postgres,
            Partitions partitions,
            String instance,
            Consumer<List<EndedJob>> onEnd,
            Consumer<JobChange> onChange) {
        this.redis = redis;
        this.postgres = postgres;
        this.partitions = partitions;
        this.instance = instance;
        this.onEnd = onEnd;
        this.onChange = onChange;
    }

    void start() {
        partitions
                .all()
                .forEach(partition -> threads.add(Thread.ofVirtual()
                        .name("jobs-archiver-" + partition.tag())
                        .start(() -> run(partition))));
    }

    /** Over all partitions that this instance archives: how much waits, and how old the oldest of it is. */
    ArchiveLag lag() {
        return lags.values().stream().reduce(ArchiveLag.NONE, ArchiveLag::and);
    }

    @Override
    public void close() {
        closed.countDown();
        threads.forEach(thread -> {
            try {
                // An interrupt in the middle would break a connection.
                if (!thread.join(LONGEST_END)) {
                    thread.interrupt();
                }
            } catch (InterruptedException hurried) {
                thread.interrupt();
                Thread.currentThread().interrupt();
            }
        });
    }

    private void run(Partition partition) {
        String applied = RedisArchive.NOTHING;
        int count = BATCH;
        boolean failing = false;
        Duration pause = IDLE;
        try {
            do {
                try {
                    Optional<Drained> drained = redis.drain(partition, instance, applied, count);
                    // Before it is applied: it is to be seen above all while it cannot be.
                    lags.put(partition, drained.map(Archiver::lag).orElse(ArchiveLag.NONE));
                    applied = drained.map(this::apply).orElse(applied);
                    pause = next(pause, drained, count);
                    count = Math.min(BATCH, 2 * count);
                    failing = false;
                } catch (RuntimeException | Error failed) {
                    // Also of errors: a batch that memory was too small for is smaller the next time.
                    told(partition, failed, failing);
                    failing = true;
                    // Redis still has what was not applied; of what was it is told until it answers, also twice.
                    count = Math.max(1, count / 2);
                    pause = LONGEST_IDLE;
                }
            } while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private String apply(Drained drained) {
        List<EndedJob> ended = postgres.apply(drained.transitions());
        if (!ended.isEmpty()) {
            onEnd.accept(ended);
        }
        drained.transitions().stream()
                .filter(transition -> transition.taskId().isEmpty())
                .forEach(job -> onChange.accept(new JobChange(job.jobId(), JobStatus.valueOf(job.state()))));
        return drained.upTo();
    }

    private static ArchiveLag lag(Drained drained) {
        return new ArchiveLag(drained.left(), drained.age());
    }

    private static Duration next(Duration last, Optional<Drained> drained, int count) {
        if (drained.isEmpty()) {
            return LONGEST_IDLE;
        }
        if (drained.get().transitions().isEmpty()) {
            return last.compareTo(IDLE) < 0 ? IDLE : longer(last);
        }
        return drained.get().left() > count ? Duration.ZERO : GATHER;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_IDLE) < 0 ? twice : LONGEST_IDLE;
    }

    private static void told(Partition partition, Throwable failed, boolean failing) {
        if (failed instanceof HotstateException) {
            log.debug("{} is not archived: {}", partition, failed.getMessage());
        } else if (!failing) {
            log.error("{} cannot be archived", partition, failed);
        }
    }
}
