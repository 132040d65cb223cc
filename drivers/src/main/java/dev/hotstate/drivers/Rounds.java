package dev.hotstate.drivers;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again, an interval apart. An outage is logged once, not each time. */
final class Rounds implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Rounds.class);
    private static final Duration LONGEST_END = Duration.ofSeconds(1);

    private final String what;
    private final Duration every;
    private final Runnable round;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private boolean failing;

    Rounds(String what, Duration every, Runnable round) {
        this.what = what;
        this.every = every;
        this.round = round;
        this.thread = Thread.ofVirtual().name("drivers-" + what).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** A round that is under way may end: an interrupt would break its connection. Also of one that was never started. */
    @Override
    public void close() {
        closed.countDown();
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        try {
            if (!thread.join(LONGEST_END)) {
                thread.interrupt();
            }
        } catch (InterruptedException hurried) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closed.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
                once();
            }
        } catch (InterruptedException ended) {
            // The end.
        }
    }

    private void once() {
        try {
            round.run();
            if (failing) {
                log.info("{} of drivers goes on", what);
            }
            failing = false;
        } catch (RuntimeException failed) {
            if (!failing && closed.getCount() > 0) {
                log.warn("{} of drivers waits: {}", what, failed.getMessage());
            }
            failing = true;
        }
    }
}
