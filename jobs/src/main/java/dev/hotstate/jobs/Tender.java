package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after partitions where perhaps nobody works: what is due comes up, steps go on, and those who wait hear of what is
 * ready. Once a second, and when something is due before that. On each instance; what one has done the others find done.
 */
final class Tender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tender.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** So that a partition with much to do leaves Redis to others in between. */
    private static final Duration BREATH = Duration.ofMillis(1);

    /** Lanes that one call looks at. */
    private static final int LANES = 500;

    private final RedisAdvance advance;
    private final List<Partition> partitions;
    private final Wakeups wakeups;
    private final FreedPermits freed;
    private final Thread thread;
    private final Lock lock = new ReentrantLock();
    private final Condition sooner = lock.newCondition();
    private long next = System.nanoTime();
    private volatile boolean closed;

    Tender(RedisAdvance advance, List<Partition> partitions, Wakeups wakeups, FreedPermits freed) {
        this.advance = advance;
        this.partitions = partitions;
        this.wakeups = wakeups;
        this.freed = freed;
        this.thread = Thread.ofVirtual().name("jobs-tender").unstarted(this::run);
    }

    void start() {
        wakeups.tendedBy(this::in);
        thread.start();
    }

    /** One round over all partitions. */
    void tend() {
        List<Lane> awaited = wakeups.awaited();
        for (Partition partition : partitions) {
            try {
                tend(partition, awaited);
            } catch (HotstateException away) {
                LOG.debug("partition {} is not tended: {}", partition, away.getMessage());
            } catch (RuntimeException | Error broken) {
                LOG.error("Partition {} cannot be tended", partition, broken);
            }
        }
    }

    private void tend(Partition partition, List<Lane> awaited) {
        int from = 0;
        do {
            int to = Math.min(from + LANES, awaited.size());
            freed.give(advance.run(partition, List.of(), RedisAdvance.Asked.lookedFor(awaited.subList(from, to)))
                    .freed());
            from = to;
        } while (from < awaited.size());
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        try {
            while (!closed) {
                awaitTurn();
                tendOnce();
            }
        } catch (InterruptedException ended) {
            // The end.
        }
    }

    /** Whatever comes of a round, there is a next one: also of an error, such as that there was too much for memory. */
    private void tendOnce() {
        try {
            tend();
        } catch (RuntimeException | Error broken) {
            LOG.error("The partitions cannot be tended now", broken);
        }
    }

    private void awaitTurn() throws InterruptedException {
        lock.lock();
        try {
            long left = next - System.nanoTime();
            while (left > 0) {
                sooner.awaitNanos(left);
                left = next - System.nanoTime();
            }
            next = System.nanoTime() + EVERY.toNanos();
        } finally {
            lock.unlock();
        }
    }

    private void in(Duration after) {
        if (after.compareTo(EVERY) >= 0) {
            return;
        }
        long at = System.nanoTime() + Math.max(after.toNanos(), BREATH.toNanos());
        lock.lock();
        try {
            if (at < next) {
                next = at;
                sooner.signal();
            }
        } finally {
            lock.unlock();
        }
    }
}
