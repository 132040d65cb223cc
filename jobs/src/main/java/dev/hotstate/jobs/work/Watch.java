package dev.hotstate.jobs.work;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.Tasks.Kept;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the tasks under way, {@value #LOOKS_A_SECOND} times a second: extends their leases, each third of one and
 * all in one call, stops those that are cancelled, lost or out of time, and points out those that do not stop. On a
 * thread of the system's, so that handlers which never pause cannot keep it from its work.
 */
final class Watch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Watch.class);
    private static final int LOOKS_A_SECOND = 20;
    private static final int MOST_KEPT = 500;

    /** A cancelled task hears of it with its next heartbeat, also where a lease is long. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

    /** How long a handler may take to stop before it is no longer waited for. */
    static final Duration STUCK_AFTER = Duration.ofSeconds(5);

    private final Tasks tasks;
    private final Collection<Attempt> underWay;
    private final Duration lease;
    private final Consumer<Attempt> stuck;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    Watch(String worker, Tasks tasks, Collection<Attempt> underWay, Duration lease, Consumer<Attempt> stuck) {
        this.tasks = tasks;
        this.underWay = underWay;
        this.lease = lease;
        this.stuck = stuck;
        this.thread = Thread.ofPlatform().daemon().name("watch-" + worker).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed.countDown();
    }

    private void run() {
        long third = Math.min(lease.toNanos() / 3, LONGEST_SILENCE.toNanos());
        long kept = System.nanoTime();
        try {
            while (!closed.await(1_000 / LOOKS_A_SECOND, TimeUnit.MILLISECONDS)) {
                long now = System.nanoTime();
                lookAt(now);
                if (now - kept >= third) {
                    kept = now;
                    keep(List.copyOf(underWay));
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookAt(long now) {
        for (Attempt attempt : underWay) {
            if (attempt.hasTimedOut(now)) {
                attempt.stop(Attempt.Stop.TIMED_OUT);
            }
            if (attempt.isStuck(now, STUCK_AFTER)) {
                stuck.accept(attempt);
            }
        }
    }

    private void keep(List<Attempt> attempts) {
        for (int from = 0; from < attempts.size(); from += MOST_KEPT) {
            List<Attempt> some = attempts.subList(from, Math.min(from + MOST_KEPT, attempts.size()));
            if (!keepTogether(some)) {
                // Perhaps only some partitions do not answer; all tasks of a job are in one.
                some.stream()
                        .collect(Collectors.groupingBy(attempt -> attempt.task().jobId()))
                        .values()
                        .forEach(this::keepTogether);
            }
        }
    }

    private boolean keepTogether(List<Attempt> some) {
        try {
            stopLost(some, tasks.keep(some.stream().map(Attempt::held).toList(), lease));
            return true;
        } catch (HotstateException away) {
            // Nobody else can take them either, while Redis does not answer; after that they get a lease more.
            log.debug("{} leases are not extended: {}", some.size(), away.getMessage());
        } catch (RuntimeException mistaken) {
            log.warn("{} leases are not extended", some.size(), mistaken);
        }
        return false;
    }

    private static void stopLost(List<Attempt> attempts, List<Kept> answers) {
        for (int i = 0; i < attempts.size(); i++) {
            Kept kept = answers.get(i);
            if (kept.cancelled()) {
                attempts.get(i).stop(Attempt.Stop.CANCELLED);
            } else if (kept.until().isEmpty()) {
                attempts.get(i).stop(Attempt.Stop.LOST);
            }
        }
    }
}
