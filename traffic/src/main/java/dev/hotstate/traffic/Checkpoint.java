package dev.hotstate.traffic;

import java.time.Instant;
import java.util.Map;

/**
 * The totals and maxima as they were at a time: what must survive a loss of Redis. Windows, samples and gauges are not in
 * it.
 *
 * @param maxConnections the most that were open at once since the fleet started
 * @param maxSpeed the most requests of a second since then
 * @param errorsByStatus by status code
 * @param endpoints by full name
 * @param instances requests by instance
 * @param hourly requests by the hour's begin in ms; of the last 24 hours
 */
public record Checkpoint(
        Instant at,
        long total,
        long accepted,
        long errors,
        long maxConnections,
        long maxSpeed,
        Map<Integer, Long> errorsByStatus,
        Map<String, EndpointTotals> endpoints,
        Map<String, Long> instances,
        Map<Long, Long> hourly) {

    /** @param sumMs all response times together */
    public record EndpointTotals(long requests, long errors, long responses, double sumMs) {}

    public Checkpoint {
        requireNotNegative("total", total);
        requireNotNegative("accepted", accepted);
        requireNotNegative("errors", errors);
        requireNotNegative("maxConnections", maxConnections);
        requireNotNegative("maxSpeed", maxSpeed);
        errorsByStatus = Map.copyOf(errorsByStatus);
        endpoints = Map.copyOf(endpoints);
        instances = Map.copyOf(instances);
        hourly = Map.copyOf(hourly);
    }

    /** Where nothing was counted before. */
    static Checkpoint nothing(Instant at) {
        return new Checkpoint(at, 0, 0, 0, 0, 0, Map.of(), Map.of(), Map.of(), Map.of());
    }

    private static void requireNotNegative(String field, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(field + " must not be negative, not " + value);
        }
    }
}
