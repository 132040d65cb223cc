package dev.hotstate.bench.drill;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits by looking again and again. A look that fails means not yet: what it looks at may be away for the moment. */
public final class Waiting {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Waiting() {}

    /** @return whether it came true */
    public static boolean until(Duration atMost, BooleanSupplier condition) {
        long begin = System.nanoTime();
        boolean met = isTrue(condition);
        while (!met && System.nanoTime() - begin < atMost.toNanos()) {
            pause(PAUSE);
            met = isTrue(condition);
        }
        return met;
    }

    /** @return how long it took */
    public static Duration require(String what, Duration atMost, BooleanSupplier condition) {
        long begin = System.nanoTime();
        if (!until(atMost, condition)) {
            throw new IllegalStateException("waited " + atMost.toSeconds() + " s in vain until " + what);
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static boolean isTrue(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (RuntimeException away) {
            return false;
        }
    }

    public static void pause(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
