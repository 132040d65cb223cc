package dev.hotstate.jobs;

import org.jspecify.annotations.Nullable;

/** How an attempt ended, by who made it. */
public sealed interface Ending {
    Held held();

    /** @param result JSON; null where there is none */
    record Completed(Held held, @Nullable String result) implements Ending {}

    /** @param retryable whether another attempt may be of use */
    record Failed(Held held, String error, boolean retryable) implements Ending {}

    /**
     * It failed, but it or an attempt before it may have committed its {@link Effects}: before the task is called failed for
     * good, PostgreSQL is asked, and what is committed there has succeeded. To be told by whoever writes with them.
     *
     * @param retryable whether another attempt may be of use
     */
    record Unsure(Held held, String error, boolean retryable) implements Ending {}

    /** Handed back, because the worker ends: it is ready again at once, and no retry is spent. */
    record Released(Held held) implements Ending {}
}
