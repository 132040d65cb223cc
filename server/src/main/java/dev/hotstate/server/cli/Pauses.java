package dev.hotstate.server.cli;

import java.time.Duration;
import java.util.Optional;

/** How long to wait before a stream is asked for again: nothing before the first time, ever longer while nothing comes. */
final class Pauses {
    private static final Duration FIRST = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private Duration next = Duration.ZERO;
    private Optional<String> last = Optional.empty();

    /** @param id of the last event that came */
    void before(Optional<String> id) throws InterruptedException {
        Thread.sleep(next(id));
    }

    Duration next(Optional<String> id) {
        Duration pause = !next.isZero() && !id.equals(last) ? FIRST : next;
        last = id;
        next = pause.isZero() ? FIRST : longer(pause);
        return pause;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    }
}
