package dev.hotstate.jobs;

import org.jspecify.annotations.Nullable;

/** How an attempt ended, by who made it. */
public sealed interface Ending {
    Held held();

    /** @param result JSON; null where there is none */
    record Completed(Held held, @Nullable String result) implements Ending {}

    /** @param retryable whether another attempt may be of use */
    record Failed(Held held, String error, boolean retryable) implements Ending {}

    /** Handed back, because the worker ends: it is ready again at once, and no retry is spent. */
    record Released(Held held) implements Ending {}
}
