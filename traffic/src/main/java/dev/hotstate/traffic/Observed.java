package dev.hotstate.traffic;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request of an application, from its arrival to its end, whichever of its ends comes first. For doors: whatever a
 * container or a framework says of a request, counting it never fails it.
 */
public final class Observed {
    private final Recorder recorder;
    private final long start = System.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();

    private Observed(Recorder recorder) {
        this.recorder = recorder;
    }

    /** A request has arrived; it is open until it {@link #ended}. */
    public static Observed arrived(Recorder recorder) {
        recorder.began();
        return new Observed(recorder);
    }

    /** The request was answered. A second end is not counted; what is no route counts as {@code unmatched}. */
    public void ended(String method, @Nullable String route, int status) {
        if (ended.compareAndSet(false, true)) {
            recorder.ended();
            recorder.record(
                    method,
                    Endpoints.routeOrUnmatched(route),
                    Math.clamp(status, 100, 599),
                    Duration.ofNanos(System.nanoTime() - start));
        }
    }
}
