package dev.hotstate.monitors.alert;

import java.time.Duration;

/** What is worth doing again only after a while. For one thread. */
final class Every {
    private final long periodNanos;
    private long lastNanos;

    Every(Duration period) {
        this.periodNanos = period.toNanos();
        this.lastNanos = System.nanoTime() - periodNanos;
    }

    boolean isDue() {
        long now = System.nanoTime();
        if (now - lastNanos < periodNanos) {
            return false;
        }
        lastNanos = now;
        return true;
    }
}
