package dev.hotstate.traffic;

import java.time.Instant;

/**
 * An endpoint in an hour, for a history that outlives Redis. A row of the current hour grows until the hour has ended.
 *
 * @param histogram as {@link Histogram#parse} reads it
 */
public record HourRow(Instant hour, String endpoint, long requests, long errors, long sumMicros, String histogram) {}
