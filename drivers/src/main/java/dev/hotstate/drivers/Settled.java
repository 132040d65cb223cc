package dev.hotstate.drivers;

/** What Redis made of a {@link Truth}. */
sealed interface Settled {
    /** It is as was decided, and so it stands with its heartbeat now. */
    record Now(Status status, boolean reserved) implements Settled {}

    /** Redis knew as much, or more. */
    record Known() implements Settled {}

    /** The driver has left this region: it is to be told there. */
    record Moved(String region, long epoch) implements Settled {}
}
