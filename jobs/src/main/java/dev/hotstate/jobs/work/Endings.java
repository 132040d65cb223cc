package dev.hotstate.jobs.work;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.Claimed;
import dev.hotstate.jobs.Ended;
import dev.hotstate.jobs.Ending;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.Tasks.Advanced;
import dev.hotstate.jobs.Wanted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts that have ended, on their way to Redis. One that meets no other goes at once, and comes back with the next
 * task: one round trip from task to task. While a call is under way, those that end gather: when they are a third of all
 * that run, or as many as a call takes, they go too, in a second call, and otherwise with whichever call comes back. Who
 * sets out lets others that are about to end go first, where there are any: tasks that came together and take no time go
 * back together. So with many tasks a call carries many, which cost Redis far less than one by one, and nobody waits for
 * more than a call.
 *
 * <p>A call takes half of all that run at most. If it took all, nothing could end here until it came back, and Redis and
 * this process would wait for each other in turn; with halves each has one while the other has the other. And those of a
 * call are of one partition, for of several it would be as many calls.
 *
 * <p>A call that failed is repeated by itself, a job at a time, until it was answered: a task whose end is not told would
 * be done again. Meanwhile its place is taken, so what waits is bounded by the places.
 */
final class Endings implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Endings.class);
    private static final int UNDER_WAY = 2;

    /** Of those that run, one in so many is company enough for a further call. */
    private static final int COMPANY = 3;

    private static final int MOST_A_CALL = Wanted.MOST;
    private static final int MOST_CHARS = 1_000_000;
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 1_000;

    /** One to tell, and whose place it has. */
    private record Entry(Attempt attempt, Ending ending) {
        int chars() {
            return switch (ending) {
                case Ending.Completed done ->
                    done.result() == null ? 0 : done.result().length();
                case Ending.Failed failed -> failed.error().length();
                case Ending.Unsure unsure -> unsure.error().length();
                case Ending.Released released -> 0;
            };
        }
    }

    /** What the worker does with what comes back. */
    interface Worker {
        /** What to ask for on the way; null where nothing is wanted. */
        @Nullable
        Wanted wanted(int places);

        /** Tasks that are not told yet. */
        int running();

        /** The place is handed over with the task. */
        void begin(Claimed task);

        /** It is told, or need not be: its place is free, or goes to the next. */
        void told(Attempt attempt);
    }

    private final Tasks tasks;
    private final Places places;
    private final Worker worker;
    private final Gathering<Entry> waiting = new Gathering<>(Entry::chars);
    private final Queue<Entry> failed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicBoolean repeating = new AtomicBoolean();
    private volatile boolean closed;

    Endings(Tasks tasks, Places places, Worker worker) {
        this.tasks = tasks;
        this.places = places;
        this.worker = worker;
    }

    /**
     * Called by the thread that ran the attempt, which may lead those that gather meanwhile.
     *
     * @return a task that came back, for the caller to begin: that takes no other thread, and nobody waits for one
     */
    @Nullable
    Claimed tell(Attempt attempt, Ending ending) {
        waiting.add(tasks.partitionOf(attempt.task().jobId()), new Entry(attempt, ending));
        Claimed next = null;
        while (!waiting.isEmpty()) {
            if (next != null) {
                worker.begin(next);
                next = null;
            }
            letOthersEnd();
            if (!setsOut()) {
                break;
            }
            try {
                next = send();
            } finally {
                underWay.decrementAndGet();
            }
        }
        return next;
    }

    /** What is not told by now comes back when its lease ends. */
    @Override
    public void close() {
        closed = true;
    }

    /** On a virtual thread: those that can go on at this moment, which takes no time where there are none. */
    private void letOthersEnd() {
        if (underWay.get() < UNDER_WAY && worker.running() > 1) {
            Thread.yield();
        }
    }

    /** Whoever comes back looks again, so what is left to gather here is never forgotten. */
    private boolean setsOut() {
        int now = underWay.get();
        while (now == 0 || (now < UNDER_WAY && areMany())) {
            if (underWay.compareAndSet(now, now + 1)) {
                return true;
            }
            now = underWay.get();
        }
        return false;
    }

    private boolean areMany() {
        int ended = waiting.size();
        return ended >= MOST_A_CALL || ended * COMPANY >= worker.running();
    }

    /** Begins all tasks that come back but one, which is answered. */
    private @Nullable Claimed send() {
        int half = Math.clamp((worker.running() + 1) / UNDER_WAY, 1, MOST_A_CALL);
        List<Entry> batch = waiting.take(half, MOST_CHARS);
        if (batch.isEmpty()) {
            return null;
        }
        int more = places.takeFree(MOST_A_CALL - batch.size());
        Wanted wanted = worker.wanted(batch.size() + more);
        Advanced advanced;
        try {
            advanced = tasks.end(endings(batch), wanted);
        } catch (RuntimeException broken) {
            places.give(more);
            repeatLater(batch, broken);
            return null;
        }
        List<Claimed> next = advanced.next();
        for (int i = 1; i < next.size(); i++) {
            worker.begin(next.get(i));
        }
        places.give(batch.size() + more - next.size());
        told(batch, advanced.endings());
        return next.isEmpty() ? null : next.getFirst();
    }

    private void told(List<Entry> batch, List<Ended> came) {
        for (int i = 0; i < batch.size(); i++) {
            Attempt attempt = batch.get(i).attempt();
            boolean late = came.get(i) == Ended.STALE || came.get(i) == Ended.UNKNOWN;
            // What is handed back of a cancelled job is late by nature.
            if (late && !(batch.get(i).ending() instanceof Ending.Released)) {
                log.info(
                        "the end of attempt {} of {} came too late: {}",
                        attempt.task().attempt(),
                        attempt,
                        came.get(i));
            }
            worker.told(attempt);
        }
    }

    private void repeatLater(List<Entry> batch, RuntimeException broken) {
        if (broken instanceof HotstateException) {
            log.debug("{} endings are told again: {}", batch.size(), broken.getMessage());
            failed.addAll(batch);
            startRepeating();
        } else {
            log.warn("{} endings are left to their leases", batch.size(), broken);
            giveUp(batch);
        }
    }

    private void giveUp(Collection<Entry> batch) {
        batch.forEach(entry -> worker.told(entry.attempt()));
        places.give(batch.size());
    }

    private void startRepeating() {
        if (repeating.compareAndSet(false, true)) {
            Thread.ofVirtual().name("endings-again").start(this::repeat);
        }
    }

    private void repeat() {
        long pause = FIRST_PAUSE_MS;
        while (!failed.isEmpty() && !closed) {
            LockSupport.parkNanos(pause * 1_000_000);
            pause = repeatOnce() ? FIRST_PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS);
        }
        repeating.set(false);
        if (!failed.isEmpty() && !closed) {
            startRepeating();
        }
    }

    /** A job at a time, and so a partition: one that cannot be reached does not keep the others. */
    private boolean repeatOnce() {
        Map<String, List<Entry>> byJob = new LinkedHashMap<>();
        for (Entry next = failed.poll(); next != null; next = failed.poll()) {
            byJob.computeIfAbsent(next.attempt().task().jobId(), job -> new ArrayList<>())
                    .add(next);
        }
        boolean answered = false;
        for (List<Entry> batch : byJob.values()) {
            try {
                told(batch, tasks.end(endings(batch), null).endings());
                places.give(batch.size());
                answered = true;
            } catch (HotstateException away) {
                failed.addAll(batch);
            } catch (RuntimeException broken) {
                log.warn("{} endings are left to their leases", batch.size(), broken);
                giveUp(batch);
            }
        }
        return answered;
    }

    private static List<Ending> endings(List<Entry> batch) {
        return batch.stream().map(Entry::ending).toList();
    }
}
