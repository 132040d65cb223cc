package dev.hotstate.server;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what must come true by itself, by looking again and again up to a generous end. */
public final class Eventually {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Eventually() {}

    /** Answers how long it took, for the log; no test asserts it. */
    public static Duration until(String what, BooleanSupplier condition) {
        return until(what, "nothing to show", condition);
    }

    /** @param seen what is shown, as it is then, if it never comes true */
    public static Duration until(String what, Object seen, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > LONGEST.toNanos()) {
                throw new AssertionError("waited " + LONGEST.toSeconds() + " s in vain until " + what + ": " + seen);
            }
            pause();
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException stopped) {
            throw new AssertionError("interrupted while waiting", stopped);
        }
    }
}
