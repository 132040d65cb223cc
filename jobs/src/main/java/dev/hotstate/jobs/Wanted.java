package dev.hotstate.jobs;

import java.time.Duration;
import java.util.List;

/**
 * What a worker asks for.
 *
 * @param worker its name: 1 to 100 characters, none of them a control character or a space
 * @param lanes of what is ready in them in a partition the greatest priority goes first, then what finishes a job that
 *     is under way and has few tasks left, and then the oldest
 * @param max tasks at once, 1 to {@value #MOST}
 * @param lease how long it may be silent before a task is given to others
 * @param patience how long to wait for a first task
 */
public record Wanted(String worker, List<Lane> lanes, int max, Duration lease, Duration patience) {
    public static final Duration LONGEST_LEASE = Duration.ofHours(24);
    public static final int MOST = 100;

    private static final int LONGEST_NAME = 100;

    public Wanted {
        if (worker.isEmpty() || worker.length() > LONGEST_NAME || worker.chars().anyMatch(c -> c <= ' ' || c == 127)) {
            throw new IllegalArgumentException("worker must have 1 to " + LONGEST_NAME
                    + " characters without spaces and control characters, not \"" + worker + "\"");
        }
        if (max < 1 || max > MOST) {
            throw new IllegalArgumentException("max must be 1 to " + MOST + ", not " + max);
        }
        if (lease.toMillis() < 1 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("lease must be 1 ms to 24 h, not " + lease);
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience must not be negative, but is " + patience);
        }
        lanes = lanes.stream().distinct().toList();
    }
}
