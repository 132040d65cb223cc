package dev.hotstate.monitors;

import java.time.Instant;

/** A score of the index of states: a rank, and from when on the outcome behind it is too old to tell. */
record Standing(int rank, long staleAt) {
    private static final long RANK = 10_000_000_000_000L;
    private static final State[] STATES = {
        State.PAUSED, State.MAINTENANCE, State.PENDING, State.DOWN, State.DEGRADED, State.UP
    };

    /** @param score empty or 0 where the index has none */
    static Standing parse(String score) {
        long number = score.isEmpty() ? 0 : (long) Double.parseDouble(score);
        return new Standing((int) (number / RANK), number % RANK);
    }

    State at(Instant now) {
        return rank > 2 && staleAt < now.toEpochMilli() ? State.STALE : STATES[rank];
    }
}
