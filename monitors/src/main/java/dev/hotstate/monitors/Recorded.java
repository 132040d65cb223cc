package dev.hotstate.monitors;

import java.time.Instant;

/**
 * What a recorded outcome made of its monitor.
 *
 * @param at when it was recorded, by Redis's clock
 * @param before how it was shown before
 * @param untold whether PostgreSQL must be told of an incident that began or ended
 * @param dropped whether one that ended before will never be told: too many wait for PostgreSQL
 */
record Recorded(
        Instant at, Instant nextRun, long failures, State state, State before, boolean untold, boolean dropped) {}
