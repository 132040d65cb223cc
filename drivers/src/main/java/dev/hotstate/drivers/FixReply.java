package dev.hotstate.drivers;

import java.time.Duration;
import java.time.Instant;

/** What a region said to a fix. */
sealed interface FixReply {
    /** As {@code order.lua} has it. */
    Duration AHEAD = Duration.ofSeconds(60);

    /**
     * @param epoch how often the driver changed its region
     * @param version of what was decided of it, as Redis knows
     * @param at by which the fix is ordered: its own time, or Redis's where it had none
     * @param seenAt when Redis got it
     * @param since when its status last changed
     * @param reserved whether somebody holds it
     * @param changed whether its status changed by this fix, or it is new
     */
    record Accepted(
            Status status,
            long epoch,
            long version,
            Instant at,
            Instant seenAt,
            Instant since,
            boolean reserved,
            boolean changed)
            implements FixReply {}

    /** It is not newer than the last one. */
    record Ignored(Status status) implements FixReply {}

    /**
     * Its time is more than a minute ahead of Redis's.
     *
     * @param latest what it might have been at most
     */
    record Future(Instant latest) implements FixReply {
        static Future at(Instant now) {
            return new Future(now.plus(AHEAD));
        }
    }

    /** The driver is not in this region. */
    record Absent() implements FixReply {}

    /** The driver has left this region for another one. */
    record Moved(String region, long epoch) implements FixReply {}
}
