package dev.hotstate.server.http.ops;

import java.util.Locale;

/** How a part is. */
public enum HealthStatus {
    UP,
    DEGRADED,
    REBUILDING,
    DOWN;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
