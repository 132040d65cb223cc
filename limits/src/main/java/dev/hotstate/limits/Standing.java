package dev.hotstate.limits;

import java.time.Duration;

/**
 * How Redis left one counter.
 *
 * @param fits whether the cost was there
 * @param taken what was spent: nothing when the call was denied, or the rule is in shadow and would have denied it
 * @param since when the window began, or units of a log or bucket were taken, by Redis's clock; 0 where nothing was wanted
 *     in advance
 */
record Standing(boolean fits, long taken, long remaining, long resetMicros, long retryMicros, long since) {

    /** What was taken beyond the cost can be spent here still. */
    Standing withAdvance(long cost) {
        return taken > cost
                ? new Standing(fits, taken, remaining + taken - cost, resetMicros, retryMicros, since)
                : this;
    }

    /** What one of several calls gets that were taken for at once: {@code others} of them come after it. */
    Standing sharedOut(long cost, int others) {
        return new Standing(fits, cost, remaining + cost * others, resetMicros, retryMicros, since);
    }

    /** What tells whether units taken in advance still count; empty where there are none. */
    String stamp() {
        return since == 0 ? "" : Long.toString(since);
    }

    /** The same, some time later, if nothing else has happened. */
    Standing after(long micros) {
        return new Standing(
                fits, taken, remaining, Math.max(0, resetMicros - micros), Math.max(0, retryMicros - micros), since);
    }

    /** Whether this says nothing any more, so much later: all is there again, or what was denied could pass. */
    boolean isOver(long micros) {
        return resetMicros <= micros || !fits && retryMicros <= micros;
    }

    Verdict verdict(Target target, DecidedBy decidedBy) {
        boolean shadow = target.rule().shadow();
        return new Verdict(
                target.rule(),
                target.subject(),
                fits || shadow,
                remaining,
                micros(resetMicros),
                shadow ? Duration.ZERO : micros(retryMicros),
                decidedBy,
                shadow && !fits);
    }

    private static Duration micros(long micros) {
        return micros == 0 ? Duration.ZERO : Duration.ofNanos(micros * 1000);
    }
}
