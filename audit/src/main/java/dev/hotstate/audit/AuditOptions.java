package dev.hotstate.audit;

import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.schema.Schema;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an audit is made.
 *
 * @param schema what the keyspace should be; null: only what needs no schema is looked at
 * @param full whether each key is looked at, and not a sample of each family
 * @param sample keys of each family that are looked at otherwise
 * @param seed of the choice of these keys
 * @param watch between the two looks that rates are made of
 * @param latency how long one batch may hold up other clients; batches shrink where they take longer
 * @param previous the last report, for what has changed since; null: nothing to compare with
 * @param resume where a stopped audit leaves off and goes on; null: it begins anew
 */
public record AuditOptions(
        @Nullable Schema schema,
        boolean full,
        int sample,
        long seed,
        Duration watch,
        Duration latency,
        @Nullable Report previous,
        @Nullable Path resume) {
    /** A share is then known within 5 % at worst. */
    public static final int SAMPLE = 400;

    public static final AuditOptions DEFAULT =
            new AuditOptions(null, false, SAMPLE, 1, Duration.ofSeconds(2), Duration.ofNanos(100_000), null, null);

    public AuditOptions {
        if (sample < 1) {
            throw new IllegalArgumentException("sample must be at least 1, not " + sample);
        }
        if (watch.isNegative()) {
            throw new IllegalArgumentException("watch must not be negative: " + watch);
        }
        if (!latency.isPositive()) {
            throw new IllegalArgumentException("latency must be positive, not " + latency);
        }
    }

    public AuditOptions withSchema(@Nullable Schema declared) {
        return new AuditOptions(declared, full, sample, seed, watch, latency, previous, resume);
    }

    public AuditOptions inFull() {
        return new AuditOptions(schema, true, sample, seed, watch, latency, previous, resume);
    }

    public AuditOptions withSample(int keys) {
        return new AuditOptions(schema, false, keys, seed, watch, latency, previous, resume);
    }

    public AuditOptions withWatch(Duration between) {
        return new AuditOptions(schema, full, sample, seed, between, latency, previous, resume);
    }

    public AuditOptions withPrevious(@Nullable Report last) {
        return new AuditOptions(schema, full, sample, seed, watch, latency, last, resume);
    }

    public AuditOptions withResume(@Nullable Path file) {
        return new AuditOptions(schema, full, sample, seed, watch, latency, previous, file);
    }
}
