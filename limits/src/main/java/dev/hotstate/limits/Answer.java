package dev.hotstate.limits;

import java.util.List;

/** What came of a call that was sent to Redis. */
sealed interface Answer {

    /** All checks were spent (but for those in shadow that would deny), or none. */
    record Acquired(boolean allowed, List<Standing> standings) implements Answer {}

    /** There is no decision; it may have happened. */
    record Broken(RuntimeException reason) implements Answer {}
}
