package dev.hotstate.monitors.history;

import java.time.Duration;

/**
 * How history is written, and for how long it is kept. A partition goes when all of it is older, so days of results stay
 * up to a day longer, hours up to a month, days up to a year.
 *
 * @param buffer the most results that wait in memory; beyond it the oldest are dropped
 * @param batch the most results of one transaction
 * @param flushEvery how often they are written
 * @param lateness how long after its end an hour is rolled up; what comes later makes it be rolled up again
 * @param resultDays how long each result is kept; one that comes a day earlier than that is refused
 * @param minuteDays how long minutes are kept; the window of 7 days begins in them
 * @param hourDays how long hours are kept; the window of 90 days begins in them
 */
public record HistoryOptions(
        int buffer,
        int batch,
        Duration flushEvery,
        Duration lateness,
        int resultDays,
        int minuteDays,
        int hourDays,
        int dayDays) {
    public static final HistoryOptions DEFAULTS =
            new HistoryOptions(200_000, 5_000, Duration.ofSeconds(1), Duration.ofMinutes(2), 2, 8, 91, 731);

    public HistoryOptions {
        requireAtLeast("batch", batch, 1);
        requireAtLeast("buffer", buffer, batch);
        requireAtLeast("resultDays", resultDays, 2);
        requireAtLeast("minuteDays", minuteDays, 8);
        requireAtLeast("hourDays", hourDays, 91);
        requireAtLeast("dayDays", dayDays, hourDays);
        if (flushEvery.isNegative() || flushEvery.isZero()) {
            throw new IllegalArgumentException("flushEvery must be positive, not " + flushEvery);
        }
        if (lateness.isNegative()) {
            throw new IllegalArgumentException("lateness must not be negative, not " + lateness);
        }
    }

    public HistoryOptions withBuffer(int buffer, int batch) {
        return new HistoryOptions(buffer, batch, flushEvery, lateness, resultDays, minuteDays, hourDays, dayDays);
    }

    public HistoryOptions withFlushEvery(Duration flushEvery) {
        return new HistoryOptions(buffer, batch, flushEvery, lateness, resultDays, minuteDays, hourDays, dayDays);
    }

    private static void requireAtLeast(String field, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(field + " must be at least " + least + ", not " + value);
        }
    }
}
