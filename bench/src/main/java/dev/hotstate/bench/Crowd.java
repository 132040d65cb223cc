package dev.hotstate.bench;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Virtual threads that call again and again.
 *
 * @param visitors each call is by one of so many, in turn
 */
record Crowd(int threads, int visitors) {

    @FunctionalInterface
    interface Call {
        /** @return what the reply said, at least 1 */
        long by(int visitor);
    }

    /** @throws IllegalStateException when any call failed: a broken subject must not look fast */
    double callsPerSecond(Duration length, Call call) {
        LongAdder calls = new LongAdder();
        ConcurrentLinkedQueue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch ended = new CountDownLatch(threads);
        long start = System.nanoTime();
        long end = start + length.toNanos();
        for (int i = 0; i < threads; i++) {
            int first = i;
            Thread.startVirtualThread(() -> {
                try {
                    calls.add(callUntil(end, first, call));
                } catch (RuntimeException failed) {
                    failures.add(failed);
                } finally {
                    ended.countDown();
                }
            });
        }
        await(ended);
        RuntimeException failed = failures.peek();
        if (failed != null) {
            throw new IllegalStateException(failures.size() + " of " + threads + " threads failed", failed);
        }
        return calls.sum() * 1e9 / (System.nanoTime() - start);
    }

    private long callUntil(long end, int first, Call call) {
        long calls = 0;
        for (int i = first; System.nanoTime() - end < 0; i++) {
            if (call.by(i % visitors) < 1) {
                throw new IllegalStateException("a call did not do its work");
            }
            calls++;
        }
        return calls;
    }

    private static void await(CountDownLatch ended) {
        try {
            ended.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", stopped);
        }
    }
}
