package dev.hotstate.limits;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what must come about, up to half a minute. */
final class Waits {
    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();
    private static final long PAUSE = Duration.ofMillis(5).toNanos();

    private Waits() {}

    static void until(String what, BooleanSupplier holds) {
        long start = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(PAUSE);
        }
    }
}
