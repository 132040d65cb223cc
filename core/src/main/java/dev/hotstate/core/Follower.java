package dev.hotstate.core;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to something once a second, or so often as it is told, and at once on a nudge; an outage is logged once, not each time. */
public final class Follower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final Duration USUALLY = Duration.ofSeconds(1);
    private static final Duration LONGEST_END = Duration.ofSeconds(1);

    private final String what;
    private final Duration every;
    private final Runnable look;
    private final Semaphore hurry = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    private boolean failing;

    public Follower(String what, Runnable look) {
        this(what, USUALLY, look);
    }

    public Follower(String what, Duration every, Runnable look) {
        this.what = what;
        this.every = every;
        this.look = look;
        this.thread = Thread.ofVirtual().name("follower-" + what).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public void nudge() {
        hurry.release();
    }

    /** A look that is under way may end: an interrupt would break its connection. Also of one that was never started. */
    @Override
    public void close() {
        closed = true;
        hurry.release();
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
            while (!closed) {
                lookOnce();
                hurry.tryAcquire(every.toMillis(), TimeUnit.MILLISECONDS);
                hurry.drainPermits();
            }
        } catch (InterruptedException ended) {
            // The end.
        }
    }

    private void lookOnce() {
        try {
            look.run();
            if (failing) {
                LOG.info("The {} are seen to again", what);
            }
            failing = false;
        } catch (RuntimeException | Error failed) {
            // Also of errors: what memory was too small for now may find enough of it the next time.
            if (!failing && !closed) {
                told(failed);
            }
            failing = true;
        }
    }

    private void told(Throwable failed) {
        if (failed instanceof Error) {
            LOG.error("The {} cannot be seen to now, what is known of them stays", what, failed);
        } else {
            LOG.warn("The {} cannot be seen to now, what is known of them stays: {}", what, failed.getMessage());
        }
    }
}
