package dev.hotstate.server.monitors;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.hotstate.monitors.Live;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a monitor is, as it is answered.
 *
 * @param state null only where a change was made while Redis did not answer
 * @param incidentId a text, as all numbers of incidents
 */
record LiveShown(
        @Nullable String state,
        @Nullable Integer statusCode,
        @Nullable Long latencyMs,
        @Nullable Instant checkedAt,
        long failureCount,
        @Nullable Instant firstFailureAt,
        @Nullable Instant nextRunAt,
        @Nullable String error,
        @Nullable Instant lastOkAt,
        @Nullable Instant startedAt,
        boolean checking,
        int retried,
        @Nullable String incidentId,
        @Nullable Integer certificateDaysLeft,
        PhasesShown phases,
        List<Beat> beats) {
    private static final LiveShown UNKNOWN = new LiveShown(
            null, null, null, null, 0, null, null, null, null, null, false, 0, null, null, PhasesShown.NONE, List.of());

    static LiveShown of(@Nullable Live live) {
        if (live == null) {
            return UNKNOWN;
        }
        var phases = live.phases();
        return new LiveShown(
                live.state().word(),
                live.statusCode(),
                live.latencyMs(),
                live.checkedAt(),
                live.failureCount(),
                live.firstFailureAt(),
                live.nextRunAt(),
                live.error(),
                live.lastOkAt(),
                live.startedAt(),
                live.checking(),
                live.retries(),
                live.incident() == null ? null : Long.toString(live.incident()),
                live.certificateDaysLeft(),
                new PhasesShown(phases.dnsMs(), phases.connectMs(), phases.tlsMs(), phases.firstByteMs()),
                live.beats().stream().map(Beat::of).toList());
    }

    /** Where the time of a check went; null where it is not known. */
    record PhasesShown(
            @Nullable Double dnsMs,
            @Nullable Double connectMs,
            @Nullable Double tlsMs,
            @Nullable Double firstByteMs) {
        static final PhasesShown NONE = new PhasesShown(null, null, null, null);
    }

    /** One outcome of the bar, as {@code [epoch milliseconds, state, latency]}: a list of monitors has thousands. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"at", "state", "latencyMs"})
    record Beat(long at, String state, int latencyMs) {
        static Beat of(Live.Beat beat) {
            return new Beat(beat.at().toEpochMilli(), beat.state().word(), beat.latencyMs());
        }
    }
}
