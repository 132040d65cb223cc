package dev.hotstate.traffic;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one endpoint.
 *
 * @param requests ever
 * @param avgMs over all requests ever; null where there was none
 * @param windows its figures over each window; the line's name is the window's
 * @param samples the last 1,000 requests at most, newest first
 */
public record EndpointDetail(
        String name,
        long requests,
        long errors,
        @Nullable Double avgMs,
        Map<Window, Line> windows,
        List<Sample> samples) {

    /** One request. */
    public record Sample(Instant at, double ms, int status) {}
}
