package dev.hotstate.monitors.check;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one check has found.
 *
 * @param statusCode of an HTTP answer; null where there is none
 * @param error one sentence for a person, null when all is well; never longer than {@value #MAX_ERROR} characters
 * @param retryable whether asking again soon may find otherwise; an expired certificate does not get better
 * @param certificateDaysLeft of the certificate that was shown, if one was
 */
public record Outcome(
        boolean ok,
        @Nullable Integer statusCode,
        Duration latency,
        @Nullable String error,
        boolean retryable,
        Phases phases,
        @Nullable Integer certificateDaysLeft) {
    public static final int MAX_ERROR = 500;

    public Outcome {
        if (ok == (error != null)) {
            throw new IllegalArgumentException("an outcome has an error exactly when it is not ok: " + error);
        }
        if (error != null) {
            // Also without what a database cannot keep.
            error = Quoted.excerpt(error, MAX_ERROR);
        }
    }

    public static Outcome passed(Duration latency) {
        return new Outcome(true, null, latency, null, false, Phases.NONE, null);
    }

    public static Outcome failed(Duration latency, String error, boolean retryable) {
        return new Outcome(false, null, latency, error, retryable, Phases.NONE, null);
    }

    /** Where the time went, in milliseconds; null where it cannot be had. */
    public record Phases(
            @Nullable Double dnsMs,
            @Nullable Double connectMs,
            @Nullable Double tlsMs,
            @Nullable Double firstByteMs) {
        public static final Phases NONE = new Phases(null, null, null, null);
    }
}
