package dev.hotstate.monitors;

import dev.hotstate.monitors.check.Outcome.Phases;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a monitor is now, from Redis alone.
 *
 * @param nextRunAt null while it is being checked, and while it is paused
 * @param error why the last check failed
 * @param incident the open incident's number, once PostgreSQL has it
 * @param startedAt when the job of a push monitor said that it began, and has not ended yet
 * @param beats the last outcomes, oldest first
 */
public record Live(
        State state,
        @Nullable Integer statusCode,
        @Nullable Long latencyMs,
        @Nullable Instant checkedAt,
        @Nullable Instant lastOkAt,
        @Nullable Instant nextRunAt,
        long failureCount,
        @Nullable Instant firstFailureAt,
        @Nullable Instant lastFailureAt,
        @Nullable String error,
        @Nullable Long incident,
        @Nullable Integer certificateDaysLeft,
        Phases phases,
        @Nullable Instant startedAt,
        int retries,
        boolean checking,
        List<Beat> beats) {

    /** One outcome of the bar. A degraded one failed and did not count. */
    public record Beat(Instant at, State state, int latencyMs) {}
}
