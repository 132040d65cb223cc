package dev.hotstate.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what must come true by itself, by looking again and again up to a generous end; so a test never sleeps. A look
 * that fails means not yet, since what it looks at may be away for the moment; the last failure is told at the end.
 */
public final class Eventually {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(5);

    private Eventually() {}

    /** Answers how long it took, for the log; no test asserts it. */
    public static Duration until(String what, BooleanSupplier condition) {
        return within(LONGEST, what, condition);
    }

    /** @param seen what is shown, as it is then, if it never comes true */
    public static Duration until(String what, Object seen, BooleanSupplier condition) {
        return within(LONGEST, what, seen, condition);
    }

    static Duration within(Duration atMost, String what, BooleanSupplier condition) {
        return within(atMost, what, "nothing to show", condition);
    }

    private static Duration within(Duration atMost, String what, Object seen, BooleanSupplier condition) {
        long begin = System.nanoTime();
        RuntimeException last = null;
        while (System.nanoTime() - begin <= atMost.toNanos()) {
            try {
                if (condition.getAsBoolean()) {
                    return Duration.ofNanos(System.nanoTime() - begin);
                }
                last = null;
            } catch (RuntimeException notNow) {
                last = notNow;
            }
            pause();
        }
        throw inVain("waited " + atMost.toSeconds() + " s in vain until " + what + ": " + seen, last);
    }

    private static AssertionError inVain(String message, @Nullable RuntimeException last) {
        return last == null ? new AssertionError(message) : new AssertionError(message, last);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", stopped);
        }
    }
}
