package dev.hotstate.monitors.history;

import dev.hotstate.core.Durations;
import java.time.Duration;
import java.time.Instant;

/** Which steps a series has: those that were asked for, as far as history is still kept so finely. */
final class Steps {
    /** A day by the minute, and something over. */
    private static final int MOST = 1_500;

    private Steps() {}

    /** From the beginning of the period that has {@code from}, in steps of whole periods of the level that still has it. */
    static Grid grid(HistoryOptions options, Instant from, Instant to, Duration step, long now) {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("to must be after from " + from + ", not " + to);
        }
        if (step.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("step must be at least 1s, not " + Durations.print(step));
        }
        Level level = level(options, from.toEpochMilli(), step, now);
        long first = level.floor(from.toEpochMilli());
        long length = ceil(step.toMillis(), level.ms());
        long cells = ceil(to.toEpochMilli() - first, length) / length;
        if (cells > MOST) {
            throw new IllegalArgumentException("step must be so long that there are at most " + MOST + " steps; of "
                    + Durations.print(Duration.ofMillis(length)) + " there are " + cells);
        }
        return Grid.even(first, length, (int) cells);
    }

    private static Level level(HistoryOptions options, long from, Duration step, long now) {
        if (isKept(from, options.resultDays(), now) && step.toMillis() % Level.MINUTE.ms() != 0) {
            return Level.RESULT;
        }
        if (isKept(from, options.minuteDays(), now)) {
            return Level.MINUTE;
        }
        return isKept(from, options.hourDays(), now) ? Level.HOUR : Level.DAY;
    }

    private static boolean isKept(long from, int days, long now) {
        return from >= Level.DAY.floor(now) - days * Level.DAY.ms();
    }

    private static long ceil(long number, long unit) {
        return Math.ceilDiv(number, unit) * unit;
    }
}
