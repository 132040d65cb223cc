package dev.hotstate.traffic;

import java.time.Duration;
import java.time.Instant;

/**
 * Counts the requests of one instance, in memory: no call here waits for Redis. Safe for use by many threads.
 *
 * <p>A route is a template ({@code /users/{id}}), not the path that was asked for; a request that fits none has the route
 * {@code unmatched}. A method that HTTP does not have counts as {@code OTHER}; a time beyond an hour as an hour.
 */
public interface Recorder {

    /** A connection was opened. Of an instance that reports from elsewhere, connections are not counted. */
    void began();

    /** A connection was closed. */
    void ended();

    /**
     * A request was answered just now.
     *
     * @param route 1 to 200 characters beginning with /, or {@code unmatched}, or {@code other}
     * @param status 100 to 599
     * @throws IllegalArgumentException naming what is wrong
     */
    void record(String method, String route, int status, Duration took);

    /** A request was answered at that time. One that is over a day old, or ahead of the clock, counts as of now. */
    void record(String method, String route, int status, Duration took, Instant at);
}
