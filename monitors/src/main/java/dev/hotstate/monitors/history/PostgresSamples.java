package dev.hotstate.monitors.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;

/** Results read back to be counted. */
final class PostgresSamples {
    private static final String COLUMNS = "series, at, stands_s, flags, latency_ms";

    // The last one before the range may reach into it.
    private static final String RANGE = "SELECT " + COLUMNS + " FROM monitors_results"
            + " WHERE series = ANY(:series) AND at >= :from AND at < :to"
            + " UNION ALL SELECT before.* FROM unnest(:series::int[]) AS one CROSS JOIN LATERAL (SELECT " + COLUMNS
            + " FROM monitors_results WHERE series = one AND at < :from AND at >= :reach ORDER BY at DESC LIMIT 1) before"
            + " ORDER BY series, at";

    /** As many rows as are in memory at once, beside those of one series. */
    private static final int FETCHED = 5_000;

    private PostgresSamples() {}

    /** One series after the other, each in the order of time. Must be called within a transaction. */
    static void each(Handle handle, Collection<Integer> series, long from, long to, Consumer<List<Sample>> consumer) {
        try (ResultIterator<Sample> samples = handle.createQuery(RANGE)
                .bindArray("series", Integer.class, series)
                .bind("from", Instant.ofEpochMilli(from))
                .bind("to", Instant.ofEpochMilli(to))
                .bind("reach", Instant.ofEpochMilli(from - Timeline.LONGEST_MS))
                .setFetchSize(FETCHED)
                .map((row, context) -> PostgresResults.sample(row))
                .iterator()) {
            List<Sample> one = new ArrayList<>();
            while (samples.hasNext()) {
                Sample sample = samples.next();
                if (!one.isEmpty() && one.getFirst().series() != sample.series()) {
                    consumer.accept(one);
                    one.clear();
                }
                one.add(sample);
            }
            if (!one.isEmpty()) {
                consumer.accept(one);
            }
        }
    }
}
