package dev.hotstate.monitors.history;

import java.util.Set;

/**
 * Which periods can be read rolled up.
 *
 * @param until where the roll-up of hours has come to
 * @param hours starts of hours that wait to be rolled up, or once more
 * @param days the same of days
 */
record Settled(long until, Set<Long> hours, Set<Long> days) {
    boolean hour(long start) {
        return start + Level.HOUR.ms() <= until && !hours.contains(start);
    }

    boolean day(long start) {
        return start + Level.DAY.ms() <= until
                && !days.contains(start)
                && hours.stream().noneMatch(hour -> Level.DAY.floor(hour) == start);
    }
}
