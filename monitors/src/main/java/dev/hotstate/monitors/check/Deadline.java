package dev.hotstate.monitors.check;

import dev.hotstate.core.Durations;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The one time by which a check must have ended, whatever it is at. A timeout of each read would not do: a target that
 * sends a byte a second never exceeds it. So the sockets of a check are guarded, and closed when the time has come; a
 * thread that reads from one then fails. All that is guarded is closed at the check's end, too.
 */
final class Deadline implements AutoCloseable {
    private final Duration timeout;
    private final long end;
    private final List<Closeable> guarded = new ArrayList<>(2);
    private final Future<?> alarm;
    private boolean over;

    private Deadline(Duration timeout, ScheduledExecutorService timer) {
        this.timeout = timeout;
        this.end = System.nanoTime() + timeout.toNanos();
        this.alarm = timer.schedule(this::closeGuarded, timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    static Deadline start(Duration timeout, ScheduledExecutorService timer) {
        return new Deadline(timeout, timer);
    }

    boolean hasPassed() {
        return leftNanos() <= 0;
    }

    /** At least 1, because 0 is forever to a socket. */
    int leftMillis(String doing) throws CheckFailedException {
        if (hasPassed()) {
            throw missed(doing);
        }
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos()));
    }

    CheckFailedException missed(String doing) {
        return new CheckFailedException(
                Failure.TIMED_OUT, "timed out after " + Durations.print(timeout) + " while " + doing);
    }

    /** What closes when the time has come. It must close without waiting for the peer: a socket, never one with TLS. */
    synchronized <T extends Closeable> T guard(T resource) {
        guarded.add(resource);
        if (over) {
            closeGuarded();
        }
        return resource;
    }

    @Override
    public void close() {
        alarm.cancel(false);
        closeGuarded();
    }

    private synchronized void closeGuarded() {
        over = true;
        guarded.forEach(Deadline::closeQuietly);
        guarded.clear();
    }

    private static void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException e) {
            // It is of no use any more, whether or not it said goodbye.
        }
    }

    private long leftNanos() {
        return end - System.nanoTime();
    }
}
