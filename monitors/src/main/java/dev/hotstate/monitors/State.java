package dev.hotstate.monitors;

import java.util.Locale;

/** How a monitor is: the first of these that fits. */
public enum State {
    PAUSED,
    MAINTENANCE,
    /** It was never checked. */
    PENDING,
    /** It should have been checked, and was not: nobody knows. */
    STALE,
    DOWN,
    /** It failed, but not often enough to count as down. */
    DEGRADED,
    UP;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
