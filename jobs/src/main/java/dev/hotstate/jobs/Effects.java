package dev.hotstate.jobs;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes that happen once, however often their task is tried: they and the note that the task is done are of one
 * transaction. An attempt that comes later finds the note, and does nothing.
 *
 * @param <C> what the writes are made with
 */
public interface Effects<C> {

    /**
     * Makes the writes, unless an earlier attempt of the same epoch has; then its result is answered.
     *
     * @param stillHeld asked last before the commit: whether the task is this attempt's, as far as anybody knows
     * @throws EffectRefusedException if a later attempt was here, the last one was given up, or the job was cancelled or
     *     run again: then nothing is written
     * @throws X whatever the work throws: then nothing is written
     */
    <X extends Exception> Committed once(Claimed task, BooleanSupplier stillHeld, Work<C, X> work) throws X;

    /**
     * What a task has committed in an epoch. Where it has nothing, it never will: whoever asks may call it failed. So it
     * waits for an attempt that is at its commit just now; for a second or so, and then it throws.
     */
    Optional<Committed> committed(String job, String task, int epoch);

    /** Writes with what it is lent, and answers the task's result as JSON; it neither commits nor closes. */
    @FunctionalInterface
    interface Work<C, X extends Exception> {
        @Nullable
        String write(C connection) throws X;
    }

    /**
     * @param result JSON; null where there is none
     * @param earlier whether an earlier attempt did it
     */
    record Committed(@Nullable String result, boolean earlier) {}
}
