package dev.hotstate.monitors.history;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a monitor was, step by step.
 *
 * @param step as asked, or longer where history is not kept so finely any more
 */
public record Series(Duration step, List<Point> points) {
    public Series {
        points = List.copyOf(points);
    }

    /**
     * One step.
     *
     * @param uptime in percent of the known time; null where nothing is known
     * @param averageMs of the checks that were ok, as the percentiles are, which are at most 1/64 off; null without any
     */
    public record Point(
            Instant from,
            long checks,
            long ok,
            @Nullable Double uptime,
            @Nullable Double averageMs,
            @Nullable Double p50Ms,
            @Nullable Double p95Ms,
            @Nullable Double p99Ms) {
        static Point of(long from, Tally tally) {
            return new Point(
                    Instant.ofEpochMilli(from),
                    tally.checks(),
                    tally.ok(),
                    tally.uptime(),
                    tally.averageMs(),
                    tally.percentile(50),
                    tally.percentile(95),
                    tally.percentile(99));
        }
    }
}
