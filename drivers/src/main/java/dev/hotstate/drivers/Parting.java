package dev.hotstate.drivers;

/** What became of a driver that was to leave a region. */
sealed interface Parting {
    /** It has left, now or before: perhaps for another region than was wished. */
    record Left(Leaving leaving) implements Parting {}

    /** It has not: it is held here and the fix was accepted, or the fix was not taken, or it is not here. */
    record Stays(FixReply reply) implements Parting {}
}
