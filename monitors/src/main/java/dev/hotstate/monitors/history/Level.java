package dev.hotstate.monitors.history;

import java.time.Duration;

/** How finely history is kept. */
enum Level {
    RESULT(Duration.ofSeconds(1)),
    MINUTE(Duration.ofMinutes(1)),
    HOUR(Duration.ofHours(1)),
    DAY(Duration.ofDays(1));

    private final Duration length;

    Level(Duration length) {
        this.length = length;
    }

    long ms() {
        return length.toMillis();
    }

    /** The start of the period that has this time; periods begin with the epoch, so days are UTC's. */
    long floor(long at) {
        return at - Math.floorMod(at, ms());
    }

    boolean begins(long at) {
        return Math.floorMod(at, ms()) == 0;
    }
}
