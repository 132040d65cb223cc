package dev.hotstate.traffic;

import org.jspecify.annotations.Nullable;

/**
 * What an endpoint, an instance or an hour did. Times are in milliseconds and null where there was no request; the average
 * is exact, a percentile at most 1/64 (1.5625 %) off.
 */
public record Line(
        String name,
        long requests,
        long errors,
        @Nullable Double avgMs,
        @Nullable Double p50,
        @Nullable Double p90,
        @Nullable Double p95,
        @Nullable Double p99) {

    static Line of(String name, Figures figures) {
        if (figures.isEmpty()) {
            return new Line(name, 0, 0, null, null, null, null, null);
        }
        Histogram times = figures.histogram();
        return new Line(
                name,
                figures.requests(),
                figures.errors(),
                figures.sumMicros() / 1000.0 / figures.requests(),
                times.percentile(50) / 1000,
                times.percentile(90) / 1000,
                times.percentile(95) / 1000,
                times.percentile(99) / 1000);
    }
}
