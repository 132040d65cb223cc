package dev.hotstate.monitors;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells PostgreSQL of outages that began and ended, and Redis that it was told. Usually at once, after the check that
 * found it; what was not told then (the process died, PostgreSQL was away, the queue was full) stands in Redis and is
 * taken up within seconds by any instance. Telling twice does no harm.
 */
final class Settler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Settler.class);
    private static final int WORKERS = 4;
    private static final int QUEUE = 10_000;

    /** Of one monitor: what comes while it is told, is told as well; the sweep has the rest. */
    private static final int MOST_ROUNDS = 3;

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(5);

    private final RedisOutages outages;
    private final Partitions partitions;
    private final Directory directory;
    private final PostgresTelling telling;
    private final IncidentListener listener;
    private final BlockingQueue<String> hurried = new ArrayBlockingQueue<>(QUEUE);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    Settler(
            RedisOutages outages,
            Partitions partitions,
            Directory directory,
            PostgresTelling telling,
            IncidentListener listener) {
        this.outages = outages;
        this.partitions = partitions;
        this.directory = directory;
        this.telling = telling;
        this.listener = listener;
    }

    /** Hears of what was committed; must not block. */
    interface IncidentListener {
        void opened(Monitor monitor, Incident incident);

        void closed(Incident incident);
    }

    void start() {
        for (int i = 0; i < WORKERS; i++) {
            threads.add(Thread.ofVirtual().name("monitors-settler-" + i).start(this::work));
        }
        threads.add(Thread.ofVirtual().name("monitors-unsettled").start(this::sweep));
    }

    /** Something of this monitor is untold. When there is no room to hurry, the sweep finds it. */
    void hurry(String id) {
        hurried.offer(id);
    }

    @Override
    public void close() {
        closed.countDown();
        threads.forEach(Thread::interrupt);
    }

    private void work() {
        try {
            while (closed.getCount() > 0) {
                attempt(hurried.take());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void sweep() {
        try {
            while (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                partitions.all().forEach(this::takeUp);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void takeUp(Partition partition) {
        try {
            List<String> taken;
            do {
                taken = outages.take(partition, LEASE);
                taken.forEach(this::hurry);
                // More of them may wait; but what there is no room for waits for its lease to end, so it is not taken.
            } while (taken.size() == RedisOutages.MOST_AT_ONCE && hurried.remainingCapacity() >= taken.size());
        } catch (HotstateException notNow) {
            log.debug("{} waits: {}", partition, notNow.getMessage());
        }
    }

    private void attempt(String id) {
        try {
            settle(id);
        } catch (StoreUnavailableException | RedisUnavailableException | RebuildingException notNow) {
            log.debug("{} is told later: {}", id, notNow.getMessage());
        } catch (RuntimeException mistaken) {
            log.warn("{} is told later", id, mistaken);
        }
    }

    private void settle(String id) {
        Optional<Definition> definition = directory.find(id);
        if (definition.isEmpty()) {
            return;
        }
        Monitor monitor = definition.get().monitor();
        Partition partition = partitions.of(id);
        boolean more = true;
        for (int round = 0; more && round < MOST_ROUNDS; round++) {
            Outages untold = outages.of(partition, id);
            PostgresTelling.Told told = telling.tell(monitor, untold);
            more = outages.settled(partition, id, untold, told.current());
            told.opened().forEach(incident -> listener.opened(monitor, incident));
            told.closed().forEach(listener::closed);
        }
    }
}
