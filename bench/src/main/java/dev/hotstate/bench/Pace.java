package dev.hotstate.bench;

import java.time.Duration;

/** How long a comparison takes: each subject warms up once, then all take turns, a slice each, for some rounds. */
record Pace(int rounds, Duration warmUp, Duration slice) {
    /** Figures to rely on, on a machine that does nothing else. */
    static final Pace FULL = new Pace(5, Duration.ofSeconds(1), Duration.ofMillis(500));

    /** To see that a benchmark works; too short for its figures to mean much. */
    static final Pace QUICK = new Pace(3, Duration.ofMillis(50), Duration.ofMillis(50));

    Duration of(int subjects) {
        return warmUp.plus(slice.multipliedBy(rounds)).multipliedBy(subjects);
    }
}
