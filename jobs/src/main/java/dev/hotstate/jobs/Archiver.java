package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.jobs.RedisArchive.Drained;
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
    private final Map<Partition, Lag> lags = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What waited in a partition when it was last looked at by this instance. */
    record Lag(long entries, Duration age) {
        static final Lag NONE = new Lag(0, Duration.ZERO);
    }

    /** @param onEnd told of jobs whose end has been archived */
    Archiver(
            RedisArchive redis,
            PostgresArchive postgres,
            Partitions partitions,
            String instance,
            Consumer<List<EndedJob>> onEnd) {
        this.redis = redis;
        this.postgres = postgres;
        this.partitions = partitions;
        this.instance = instance;
        this.onEnd = onEnd;
    }

    void start() {
        partitions
                .all()
                .forEach(partition -> threads.add(Thread.ofVirtual()
                        .name("jobs-archiver-" + partition.tag())
                        .start(() -> run(partition))));
    }

    /** Over all partitions that this instance archives: how much waits, and how old the oldest of it is. */
    Lag lag() {
        return lags.values().stream()
                .reduce(
                        Lag.NONE,
                        (one, other) -> new Lag(
                                one.entries() + other.entries(),
                                one.age().compareTo(other.age()) > 0 ? one.age() : other.age()));
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
        boolean failing = false;
        Duration pause = IDLE;
        try {
            do {
                try {
                    Optional<Drained> drained = redis.drain(partition, instance, applied, BATCH);
                    applied = drained.map(this::apply).orElse(RedisArchive.NOTHING);
                    lags.put(partition, drained.map(Archiver::lag).orElse(Lag.NONE));
                    pause = next(pause, drained);
                    failing = false;
                } catch (RuntimeException failed) {
                    told(partition, failed, failing);
                    failing = true;
                    // Redis still has whatever was not let go of.
                    applied = RedisArchive.NOTHING;
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
        return drained.upTo();
    }

    private static Lag lag(Drained drained) {
        return new Lag(drained.left(), drained.age());
    }

    private static Duration next(Duration last, Optional<Drained> drained) {
        if (drained.isEmpty()) {
            return LONGEST_IDLE;
        }
        if (drained.get().transitions().isEmpty()) {
            return last.compareTo(IDLE) < 0 ? IDLE : longer(last);
        }
        return drained.get().left() > BATCH ? Duration.ZERO : GATHER;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_IDLE) < 0 ? twice : LONGEST_IDLE;
    }

    private static void told(Partition partition, RuntimeException failed, boolean failing) {
        if (failed instanceof HotstateException) {
            log.debug("{} is not archived: {}", partition, failed.getMessage());
        } else if (!failing) {
            log.error("{} cannot be archived", partition, failed);
        }
    }
}
