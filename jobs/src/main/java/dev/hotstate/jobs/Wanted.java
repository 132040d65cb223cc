package dev.hotstate.jobs;

import java.time.Duration;
import java.util.List;

/**
 * What a worker asks for.
 *
 * @param lanes in the order of preference
 * @param max tasks at once, 1 to {@value #MOST}
 * @param lease how long it may be silent before a task is given to others
 * @param patience how long to wait for a first task
 */
public record Wanted(String worker, List<Lane> lanes, int max, Duration lease, Duration patience) {
    public static final int MOST = 100;

    public Wanted {
        lanes = List.copyOf(lanes);
    }
}
