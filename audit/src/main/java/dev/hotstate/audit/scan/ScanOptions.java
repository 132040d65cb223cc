package dev.hotstate.audit.scan;

import dev.hotstate.audit.schema.Schema;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a keyspace is read.
 *
 * @param of whose keyspace it is: what a scan that goes on must have in common with the one before
 * @param schema null: every family is found
 * @param full whether each key is looked at
 * @param sample keys of each family that are looked at otherwise
 * @param latency what others may be held up by one batch
 * @param frequencies whether the server counts how often keys are used
 * @param resume where a stopped scan leaves off; null: nowhere
 */
public record ScanOptions(
        String of,
        @Nullable Schema schema,
        boolean full,
        int sample,
        long seed,
        Duration latency,
        boolean cluster,
        boolean frequencies,
        @Nullable Path resume) {

    /** Who wants to know how far it is. */
    @FunctionalInterface
    public interface Watcher {
        /** @return whether to go on */
        boolean at(String phase, long done, long total, double perSecond);
    }
}
