package dev.hotstate.monitors.alert;

import java.time.Duration;

/**
 * What has not been delivered, over all instances.
 *
 * @param waiting to be sent, or being sent
 * @param held waiting for their incident's word
 * @param dead given up and not replayed
 * @param deadLately those of them that were given up within a day: older ones somebody has seen, or nobody will
 * @param oldest how long the oldest of the waiting has waited; zero when none waits
 */
public record Backlog(long waiting, long held, long dead, long deadLately, Duration oldest) {
    static final Backlog NONE = new Backlog(0, 0, 0, 0, Duration.ZERO);
}
