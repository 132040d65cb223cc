package dev.hotstate.traffic;

import java.util.List;

/** What became of a part that was sent. */
sealed interface Flushed {

    /** It is counted, now or by an earlier send. {@code life} tells whether Redis was lost since the last one. */
    record Counted(String life) implements Flushed {}

    /**
     * The counters are lost, or were never there, or are an older copy: nothing was counted.
     *
     * @param life the one they have, empty for none
     */
    record Lost(String life) implements Flushed {}

    /** There is no room for another instance: nothing was counted. */
    record Crowded() implements Flushed {}

    /** There is no room for these endpoints (as segments): nothing was counted. */
    record Full(List<String> refused) implements Flushed {}
}
