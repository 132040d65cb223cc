package dev.hotstate.traffic;

import java.util.SortedMap;

/**
 * The fleet as a whole.
 *
 * @param connections open now, and the most since the fleet started
 * @param errors answers of status 400 and above
 * @param errorsByStatus the same by status
 * @param responses the times of a window; its name is the window's
 * @param instances that have counted lately: within 5 s, or a minute for those that report from elsewhere
 */
public record Summary(
        Connections connections,
        Requests requests,
        long errors,
        SortedMap<Integer, Long> errorsByStatus,
        Line responses,
        long instances) {

    /** A gauge whose instances are all gone is 0. The fleet starts when its first instance comes after none was there. */
    public record Connections(long current, long maxSinceStartup) {}

    /**
     * @param accepted all but those that were refused with 429 or 503
     * @param speedPerSecond over all instances, of a second that ended two to three seconds ago
     */
    public record Requests(long total, long accepted, long speedPerSecond, long maxSpeedPerSecond) {}
}
