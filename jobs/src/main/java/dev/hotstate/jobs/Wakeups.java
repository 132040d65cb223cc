package dev.hotstate.jobs;

import dev.hotstate.core.Event;
import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Subscription;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who wait for tasks that there are some: in this process at once, elsewhere by an event, of which there is
 * one each 20 ms at most. One that gets lost costs a second: the {@link Tender} looks that often.
 */
final class Wakeups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Wakeups.class);
    /** Nobody else's: what is told many times a second would push what people follow out of a topic of theirs. */
    static final String TOPIC = "jobs-ready";

    /** Lanes that are looked after, of all that those who wait have named. */
    private static final int MOST_LANES = 10_000;

    private static final String VERB = "ready";
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Pattern NAMED = Pattern.compile("\"([A-Za-z0-9._-]+) ([A-Za-z0-9._-]+:[A-Za-z0-9._-]+)\"");

    private final Events events;
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> untold = new LinkedHashSet<>();
    private final Thread teller;
    private final Thread listener;
    private volatile Consumer<Duration> tender = any -> {};
    private volatile boolean closed;

    /** @param events with the topic {@value #TOPIC} */
    Wakeups(Events events) {
        this.events = events;
        this.teller = Thread.ofVirtual().name("jobs-ready-teller").start(this::tellOthers);
        this.listener = Thread.ofVirtual().name("jobs-ready-listener").start(this::listen);
    }

    /** Begins to wait for tasks of these lanes; what becomes ready from now on is not missed. */
    Waiter waitFor(Collection<Lane> lanes, Recall recall) {
        Waiter waiter = new Waiter(Set.copyOf(lanes), recall);
        waiters.add(waiter);
        recall.add(waiter.called);
        return waiter;
    }

    /** The lanes that somebody here waits for. */
    List<Lane> awaited() {
        Set<Lane> lanes = new LinkedHashSet<>();
        for (Waiter waiter : waiters) {
            if (lanes.size() < MOST_LANES) {
                lanes.addAll(waiter.lanes);
            }
        }
        return List.copyOf(lanes);
    }

    /** There are tasks in these lanes; other instances hear of it where somebody waits there. */
    void tell(Partition partition, List<Lane> lanes, boolean others) {
        if (lanes.isEmpty()) {
            return;
        }
        waiters.forEach(waiter -> waiter.wake(partition, lanes));
        if (others) {
            lock.lock();
            try {
                lanes.forEach(lane -> untold.add(partition.tag() + " " + Lanes.name(lane)));
                changed.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Something is to be done in Redis after so long, and nobody else may come by. */
    void due(Duration after) {
        tender.accept(after);
    }

    void tendedBy(Consumer<Duration> tender) {
        this.tender = tender;
    }

    @Override
    public void close() {
        closed = true;
        teller.interrupt();
        listener.interrupt();
    }

    /** One who waits. */
    final class Waiter implements AutoCloseable {
        private final Set<Lane> lanes;
        private final Lock own = new ReentrantLock();
        private final Condition woken = own.newCondition();
        private final Recall recall;
        private final Runnable called = this::comeBack;
        private Set<Partition> where = new LinkedHashSet<>();

        private Waiter(Set<Lane> lanes, Recall recall) {
            this.lanes = lanes;
            this.recall = recall;
        }

        boolean isFor(Collection<Lane> wanted) {
            return lanes.size() == wanted.size() && lanes.containsAll(wanted);
        }

        /** The partitions where something has become ready; none when the time is over, or it was called back. */
        Set<Partition> await(Duration patience) throws InterruptedException {
            own.lock();
            try {
                long left = patience.toNanos();
                while (where.isEmpty() && left > 0 && !recall.isOver()) {
                    left = woken.awaitNanos(left);
                }
                Set<Partition> now = where;
                where = new LinkedHashSet<>();
                return now;
            } finally {
                own.unlock();
            }
        }

        private void comeBack() {
            own.lock();
            try {
                woken.signal();
            } finally {
                own.unlock();
            }
        }

        private void wake(Partition partition, List<Lane> ready) {
            if (ready.stream().noneMatch(lanes::contains)) {
                return;
            }
            own.lock();
            try {
                where.add(partition);
                woken.signal();
            } finally {
                own.unlock();
            }
        }

        @Override
        public void close() {
            waiters.remove(this);
            recall.remove(called);
        }
    }

    private void tellOthers() {
        try {
            while (!closed) {
                publish(takeUntold());
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
        } catch (InterruptedException ended) {
            // The end.
        }
    }

    private Set<String> takeUntold() throws InterruptedException {
        lock.lock();
        try {
            while (untold.isEmpty()) {
                changed.await();
            }
            Set<String> now = new LinkedHashSet<>(untold);
            untold.clear();
            return now;
        } finally {
            lock.unlock();
        }
    }

    private void publish(Set<String> ready) {
        try {
            events.publish(TOPIC, VERB, "{\"ready\":[\"" + String.join("\",\"", ready) + "\"]}");
        } catch (HotstateException unheard) {
            LOG.debug("others were not told of ready tasks: {}", unheard.getMessage());
        } catch (RuntimeException | Error broken) {
            LOG.error("Others cannot be told of ready tasks", broken);
        }
    }

    private void listen() {
        try (Subscription heard = events.subscribe(Set.of(TOPIC), Optional.empty())) {
            while (!closed && heard.isOpen()) {
                Optional<Event> event = heard.next(Duration.ofSeconds(1));
                event.filter(one -> one.name().equals(TOPIC + "." + VERB)).ifPresent(this::wake);
            }
        } catch (InterruptedException ended) {
            // The end.
        }
    }

    private void wake(Event event) {
        Matcher named = NAMED.matcher(event.json());
        Set<String> seen = new HashSet<>();
        while (named.find() && seen.add(named.group())) {
            tell(new Partition(named.group(1)), List.of(Lanes.parse(named.group(2))), false);
        }
    }
}
