package dev.hotstate.store;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something to become true, for half a minute at most. */
final class Await {
    private Await() {}

    static void until(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() > giveUp) {
                throw new AssertionError("it did not become true within 30 s");
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    /** A server that is down for the moment makes it false. */
    private static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (RuntimeException notNow) {
            return false;
        }
    }
}
