package dev.hotstate.monitors;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks once a second, and at once when told, whether something has changed; an outage is logged once, not each time. */
final class Follower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final String what;
    private final Runnable look;
    private final Semaphore hurry = new Semaphore(0);
    private final Thread thread;
    private boolean failing;

    Follower(String what, Runnable look) {
        this.what = what;
        this.look = look;
        this.thread = Thread.ofVirtual().name("monitors-" + what).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void nudge() {
        hurry.release();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(1));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (true) {
                hurry.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS);
                hurry.drainPermits();
                lookOnce();
            }
        } catch (InterruptedException closed) {
            // The end.
        }
    }

    private void lookOnce() {
        try {
            look.run();
            if (failing) {
                LOG.info("The {} are followed again", what);
            }
            failing = false;
        } catch (RuntimeException failed) {
            if (!failing) {
                LOG.warn("The {} cannot be followed, those that are known stay: {}", what, failed.getMessage());
            }
            failing = true;
        }
    }
}
