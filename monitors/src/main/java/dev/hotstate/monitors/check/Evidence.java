package dev.hotstate.monitors.check;

import dev.hotstate.monitors.check.Outcome.Phases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a check has seen so far. It belongs to the one thread of its check, and what was seen before a failure still
 * counts: an expired certificate is told with its date.
 */
final class Evidence {
    private final long[] phases = {-1, -1, -1, -1};

    Duration latency = Duration.ZERO;

    @Nullable
    Integer status;

    @Nullable
    Integer certificateDaysLeft;

    @Nullable
    List<String> answers;

    /** By name in lower case; of a repeated one all values, with commas between. */
    Map<String, String> headers = Map.of();

    String body = "";

    /** Whether the body went on after what was read of it. */
    boolean bodyIsCut;

    /** Adds up over redirects, so that the phases are parts of the latency. */
    void spent(Phase phase, long sinceNanos) {
        long spent = System.nanoTime() - sinceNanos;
        phases[phase.ordinal()] = Math.max(0, phases[phase.ordinal()]) + spent;
    }

    Phases phases() {
        return new Phases(ms(Phase.DNS), ms(Phase.CONNECT), ms(Phase.TLS), ms(Phase.FIRST_BYTE));
    }

    private @Nullable Double ms(Phase phase) {
        long nanos = phases[phase.ordinal()];
        return nanos < 0 ? null : Math.round(nanos / 1e3) / 1e3;
    }

    enum Phase {
        DNS,
        CONNECT,
        TLS,
        FIRST_BYTE
    }
}
