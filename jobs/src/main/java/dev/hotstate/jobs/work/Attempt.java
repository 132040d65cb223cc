package dev.hotstate.jobs.work;

import dev.hotstate.core.Durations;
import dev.hotstate.jobs.Claimed;
import dev.hotstate.jobs.Effects.Committed;
import dev.hotstate.jobs.Ending;
import dev.hotstate.jobs.Held;
import dev.hotstate.jobs.Tasks;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task under way. It is over once: by its own thread when the handler has returned, or by another that no longer waits
 * for that. Until it is over its thread may be interrupted, and never after, when that thread speaks to Redis.
 */
final class Attempt {
    private static final Logger log = LoggerFactory.getLogger(Attempt.class);
    private static final int LONGEST_ERROR = 2_000;

    /** Why a handler was told to stop; of two reasons the later in this order counts. */
    enum Stop {
        /** The worker is closed; the task is handed back. */
        CLOSING,
        TIMED_OUT,
        /** Its job was cancelled: how it ends is nobody's concern, but its permit is to be free. */
        CANCELLED,
        /** Another has the task: its ending is nobody's concern. */
        LOST
    }

    private final Claimed task;
    private final Held held;
    private final LogLines lines;
    private final TaskContext context;
    private final long startedNanos = System.nanoTime();
    private @Nullable Thread thread;
    private @Nullable Runnable stopping;
    private volatile @Nullable Stop stop;
    private long stoppedNanos;
    private boolean over;

    Attempt(Claimed task, Tasks tasks, Duration lease, Json json, Consumer<LogLines> logging) {
        this.task = task;
        this.held = task.held();
        this.lines = new LogLines(held, tasks, logging);
        this.context = new TaskContext(task, this, lines, tasks, lease, json);
    }

    Claimed task() {
        return task;
    }

    Held held() {
        return held;
    }

    /** Runs the handler on this thread; how it ended, or null where nobody wants to know. */
    @Nullable
    Ending perform(Duty duty) {
        if (!begin()) {
            return stop == Stop.CLOSING || stop == Stop.CANCELLED ? new Ending.Released(held) : null;
        }
        try {
            String result = duty.perform(task, context);
            return ended(result, null);
        } catch (Throwable failed) {
            return ended(null, failed);
        }
    }

    private synchronized boolean begin() {
        thread = Thread.currentThread();
        return stop == null;
    }

    private @Nullable Ending ended(@Nullable String result, @Nullable Throwable failure) {
        Committed committed = context.committed();
        if (committed != null) {
            if (failure != null) {
                log.warn("{} had committed when its handler failed: it has succeeded", this, failure);
            }
            return new Ending.Completed(held, committed.result());
        }
        if (stop == Stop.LOST) {
            return null;
        }
        if (stop == Stop.CANCELLED) {
            return new Ending.Released(held);
        }
        if (failure == null) {
            return new Ending.Completed(held, result);
        }
        if (stop == Stop.CLOSING) {
            return new Ending.Released(held);
        }
        if (stop == Stop.TIMED_OUT) {
            return failed("timed out after " + Durations.print(task.timeout()), true);
        }
        String error = error(failure);
        log.info("attempt {} of {} failed: {}", task.attempt(), this, error);
        log.debug("attempt {} of {} failed", task.attempt(), this, failure);
        return failed(error, !(failure instanceof NotRetryableException));
    }

    private Ending failed(String error, boolean retryable) {
        return context.mayHaveCommitted()
                ? new Ending.Unsure(held, error, retryable && !task.last())
                : new Ending.Failed(held, error, retryable);
    }

    /** Class and message; a stack trace tells strangers how we are built. */
    private static String error(Throwable failure) {
        boolean ours = failure instanceof NotRetryableException || failure instanceof RunFailedException;
        String text = ours ? String.valueOf(failure.getMessage()) : failure.toString();
        return text.length() > LONGEST_ERROR ? text.substring(0, LONGEST_ERROR) : text;
    }

    void flushLines() {
        lines.flush();
    }

    /** Tells the handler to stop: by an interrupt, and by what else it has asked for. */
    synchronized void stop(Stop why) {
        if (over || (stop != null && stop.compareTo(why) >= 0)) {
            return;
        }
        if (stop == null) {
            stoppedNanos = System.nanoTime();
        }
        stop = why;
        if (stopping != null) {
            stopping.run();
        }
        if (thread != null) {
            thread.interrupt();
        }
    }

    synchronized void onStop(Runnable also) {
        stopping = also;
        if (stop != null) {
            also.run();
        }
    }

    boolean isStopped() {
        return stop != null;
    }

    boolean hasTimedOut(long nanos) {
        return nanos - startedNanos > task.timeout().toNanos();
    }

    /** Whether it was told to stop so long ago and still runs. */
    synchronized boolean isStuck(long nanos, Duration patience) {
        return !over && stop != null && nanos - stoppedNanos > patience.toNanos();
    }

    /** True for the one who ends it; from here on its thread is not interrupted. */
    synchronized boolean end() {
        if (over) {
            return false;
        }
        over = true;
        stopping = null;
        if (thread == Thread.currentThread()) {
            Thread.interrupted();
        }
        return true;
    }

    /** What its thread is at. */
    synchronized StackTraceElement[] whereabouts() {
        return thread == null ? new StackTraceElement[0] : thread.getStackTrace();
    }

    @Override
    public String toString() {
        return "task " + task.taskId() + " of job " + task.jobId();
    }
}
