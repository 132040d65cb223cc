package dev.hotstate.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition by asking again every few milliseconds, up to a deadline. */
final class Poll {
    private static final long PAUSE_MILLIS = 5;

    private Poll() {}

    static void until(String what, Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("Waited " + atMost + " in vain until " + what);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting", e);
        }
    }
}
