package dev.hotstate.bench.monitors;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits by looking again and again. */
final class Waiting {
    private Waiting() {}

    /** @return how long it took, or was waited in vain */
    static Duration until(Duration atMost, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - begin < atMost.toNanos()) {
            pause(Duration.ofMillis(20));
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    static Duration require(String what, Duration atMost, BooleanSupplier condition) {
        Duration took = until(atMost, condition);
        if (!condition.getAsBoolean()) {
            throw new IllegalStateException("waited " + took.toSeconds() + " s in vain until " + what);
        }
        return took;
    }

    static void pause(Duration length) {
        LockSupport.parkNanos(length.toNanos());
    }
}
