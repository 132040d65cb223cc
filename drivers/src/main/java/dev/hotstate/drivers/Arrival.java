package dev.hotstate.drivers;

/** What became of a driver that was to enter a region. */
sealed interface Arrival {
    /** It is in; {@code reply} is of the fix that came with it. Without one it is ignored. */
    record Entered(FixReply reply) implements Arrival {}

    /** It was in before, by the same epoch or a later one: its fix goes to {@code update}. */
    record Here(long epoch) implements Arrival {}

    /** It was in before, and has left again. */
    record LeftAgain(Leaving leaving) implements Arrival {}

    /** It would be new, with a fix from the future: it is not in. */
    record Refused(FixReply.Future reply) implements Arrival {}
}
