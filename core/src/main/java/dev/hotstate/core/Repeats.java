package dev.hotstate.core;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The patience of one call: each attempt has a timeout, and the call with all its repeats one deadline. An attempt is
 * repeated after 100, 200 and 400 ms when Redis surely did nothing, or when the caller said that repeating is safe.
 */
final class Repeats {
    private static final long[] PAUSES = {
        TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.MILLISECONDS.toNanos(400)
    };

    private final RedisMeters meters;
    private final boolean safe;
    private final long timeout;
    private final long start = System.nanoTime();
    private final long deadline;
    private int paused;
    private boolean pauseIsDue;

    Repeats(RedisOptions options, RedisMeters meters, boolean safe) {
        this.meters = meters;
        this.safe = safe;
        this.timeout = options.timeout().toNanos();
        this.deadline = start + options.deadline().toNanos();
    }

    /** When an attempt that made no progress since then is given up. */
    long until(long since) {
        return since + timeout - deadline > 0 ? deadline : since + timeout;
    }

    /** Returns when the command may be sent once more, after {@link #pause}; throws when it may not. */
    void requireAnother(Attempt.Failed failed, Request<?> request) {
        if (failed.kind() == Failure.NO_SCRIPT && request.sendWhole()) {
            return;
        }
        boolean mayRepeat = failed.kind().isSafeToRepeat() || safe && failed.kind() == Failure.UNKNOWN;
        if (!mayRepeat || paused == PAUSES.length || deadline - System.nanoTime() <= PAUSES[paused]) {
            meters.failed(failed.kind());
            throw failed.asException();
        }
        meters.repeated();
        pauseIsDue = true;
    }

    /** Waits before the next attempt, if one is due that Redis was not ready for. */
    void pause() {
        if (!pauseIsDue) {
            return;
        }
        pauseIsDue = false;
        try {
            Thread.sleep(Duration.ofNanos(PAUSES[paused++]));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            meters.failed(Failure.INTERRUPTED);
            throw new RedisUnavailableException("interrupted while waiting for Redis", stopped);
        }
    }

    long nanosSinceStart() {
        return System.nanoTime() - start;
    }
}
