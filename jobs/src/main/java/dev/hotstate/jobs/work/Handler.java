package dev.hotstate.jobs.work;

import org.jspecify.annotations.Nullable;

/**
 * Does a task. It may be tried again after it did, where its worker died before it could say so: what must happen once
 * belongs into {@link TaskContext#transactionally}.
 *
 * @param <I> what the task's input is read as
 * @param <R> what is handed to the tasks that need this one, as JSON; null where there is nothing
 */
@FunctionalInterface
public interface Handler<I, R> {

    /**
     * @throws NotRetryableException where trying again is of no use
     * @throws Exception whatever else: the attempt failed, and its class and message are kept as the task's error
     */
    @Nullable
    R run(I input, TaskContext context) throws Exception;

    /** The same for tasks without an input. */
    @FunctionalInterface
    interface OfNothing<R> {
        @Nullable
        R run(TaskContext context) throws Exception;
    }
}
