package dev.hotstate.core;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends waits that have lasted too long. A timed wait of a virtual thread schedules and cancels a timer, which costs about
 * a tenth of a call's throughput; so callers wait without one, and one thread looks every 10 ms at the oldest waits. It
 * sleeps while there are none.
 */
final class Expiry implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Expiry.class);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);

    private final long usual;
    private final Queue<Wait> waits = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean asleep;
    private volatile boolean closed;

    private record Wait(CompletableFuture<?> future, long until) {}

    /** @param usual how long a wait lasts at most, but for the last ones before a call's deadline */
    Expiry(Duration usual) {
        this.usual = usual.toNanos();
        this.thread = Thread.ofPlatform().daemon().name("redis-expiry").start(this::run);
    }

    /**
     * Cancels the future when it is not done by this time of {@link System#nanoTime}; false where the wait is much shorter
     * than usual, so that it would be ended too late here.
     */
    boolean watches(CompletableFuture<?> future, long until) {
        if (until - System.nanoTime() < usual * 9 / 10) {
            return false;
        }
        watch(future, until);
        return true;
    }

    /** Cancels the future when it is not done after the usual time. */
    void watch(CompletableFuture<?> future) {
        watch(future, System.nanoTime() + usual);
    }

    private void watch(CompletableFuture<?> future, long until) {
        waits.add(new Wait(future, until));
        if (asleep || closed) {
            LockSupport.unpark(thread);
        }
        if (closed) {
            end(future);
        }
    }

    /** Cancels every wait: nobody is answered any more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!closed) {
            sweep(System.nanoTime());
            rest();
        }
        for (Wait wait = waits.poll(); wait != null; wait = waits.poll()) {
            end(wait.future());
        }
    }

    private void sweep(long now) {
        Wait oldest = waits.peek();
        while (oldest != null && (oldest.future().isDone() || oldest.until() - now <= 0)) {
            waits.poll();
            end(oldest.future());
            oldest = waits.peek();
        }
    }

    /** Whatever happens here, this thread goes on: callers wait for it. */
    private static void end(CompletableFuture<?> future) {
        try {
            future.cancel(true);
        } catch (Throwable unexpected) {
            future.completeExceptionally(new CancellationException());
            log.warn("a wait for Redis was ended the hard way", unexpected);
        }
    }

    private void rest() {
        if (!waits.isEmpty()) {
            LockSupport.parkNanos(this, TICK);
            return;
        }
        asleep = true;
        if (waits.isEmpty() && !closed) {
            LockSupport.park(this);
        }
        asleep = false;
    }
}
