package dev.hotstate.monitors;

import dev.hotstate.core.Partitions;
import java.time.Duration;

/**
 * When nobody has checked for a while, because all instances were stopped or Redis was away, everything is due at once.
 * For a minute after that, what was missed for longer than its interval is spread over its interval, or a minute if that
 * is shorter, rather than checked at once. Only then: a monitor that is late because there is too much to do is checked.
 */
final class CatchUp {
    private static final Duration SPAN = Duration.ofSeconds(60);

    /** A claim comes several times a second; after such a gap between two of them nobody was there. */
    static final Duration GAP = Duration.ofSeconds(5);

    private volatile long last = System.nanoTime() - GAP.toNanos() - 1;
    private volatile long until = last;

    /** Redis has answered a claim. */
    void claimed(long nanos) {
        if (nanos - last > GAP.toNanos()) {
            until = nanos + SPAN.toNanos();
        }
        last = nanos;
    }

    boolean isUnderWay() {
        return until - System.nanoTime() > 0;
    }

    /** How long this monitor waits (ms): always the same, so that what is spread once stays spread. */
    static long spread(Monitor monitor) {
        return Partitions.phase(monitor.id(), Math.min(monitor.interval().toMillis(), SPAN.toMillis()));
    }
}
