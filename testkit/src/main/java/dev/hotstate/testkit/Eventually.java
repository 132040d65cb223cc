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
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    /** How many times as long as a look the pause after it is: who waits leaves the processor to what he waits for. */
    private static final int PAUSES_A_LOOK = 3;

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
            long look = System.nanoTime();
            try {
                if (condition.getAsBoolean()) {
                    return Duration.ofNanos(System.nanoTime() - begin);
                }
                last = null;
            } catch (RuntimeException notNow) {
                last = notNow;
            }
            pauseAfter(Duration.ofNanos(System.nanoTime() - look));
        }
        throw inVain("waited " + atMost.toSeconds() + " s in vain until " + what + ": " + seen, last);
    }

    private static AssertionError inVain(String message, @Nullable RuntimeException last) {
        return last == null ? new AssertionError(message) : new AssertionError(message, last);
    }

    private static void pauseAfter(Duration look) {
        try {
            Thread.sleep(pause(look.multipliedBy(PAUSES_A_LOOK)));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", stopped);
        }
    }

    private static Duration pause(Duration wanted) {
        if (wanted.compareTo(SHORTEST_PAUSE) < 0) {
            return SHORTEST_PAUSE;
        }
        return wanted.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : wanted;
    }
}
