package dev.hotstate.jobs.work;

import dev.hotstate.core.Fence;
import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.Claimed;
import dev.hotstate.jobs.Effects;
import dev.hotstate.jobs.Effects.Committed;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.Tasks.Kept;
import dev.hotstate.jobs.graph.Run;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a handler knows of its attempt, and can say while it is at it. Its lease is extended by the worker. */
public final class TaskContext {
    private static final Set<String> NEVER_WRITES = Set.of(Run.Shell.LANE, Run.Http.LANE);

    private final Claimed task;
    private final Attempt attempt;
    private final LogLines lines;
    private final Tasks tasks;
    private final Duration lease;
    private final Json json;
    private volatile boolean writes;
    private volatile @Nullable Committed committed;

    TaskContext(Claimed task, Attempt attempt, LogLines lines, Tasks tasks, Duration lease, Json json) {
        this.task = task;
        this.attempt = attempt;
        this.lines = lines;
        this.tasks = tasks;
        this.lease = lease;
        this.json = json;
    }

    public String jobId() {
        return task.jobId();
    }

    public String taskId() {
        return task.taskId();
    }

    /** 1 for the first. */
    public int attempt() {
        return task.attempt();
    }

    public boolean isLastAttempt() {
        return task.last();
    }

    /** Greater at each attempt: what is written with it elsewhere can refuse an earlier one. */
    public Fence fence() {
        return task.fence();
    }

    /** The needed tasks that have given a result. */
    public Set<String> results() {
        return task.results().keySet();
    }

    /**
     * What a needed task has given, if anything.
     *
     * @throws IllegalStateException where there was more than is handed to a worker, and this was left out
     */
    public <T> Optional<T> result(String need, Class<T> type) {
        if (task.resultsOmitted().contains(need)) {
            throw new IllegalStateException(
                    "the result of " + need + " was too much to be handed over: ask for the task");
        }
        return Optional.ofNullable(
                json.read("the result of " + need, task.results().get(need), type));
    }

    /**
     * Asks for more time now, and whether the task is still this attempt's. The worker does so by itself all the while; this
     * is for a handler that wants to know before it does what cannot be taken back. True also where nobody can be asked.
     */
    public boolean heartbeat() {
        return isStillHeld();
    }

    /** Adds a line to the task's log; it is there before the task ends. It never waits: of a flood the last lines stay. */
    public void log(String line) {
        lines.add(line);
    }

    /** Whether to stop: the job was cancelled, time is up, the worker ends, or another has the task. The thread was interrupted. */
    public boolean isCancelled() {
        return attempt.isStopped();
    }

    /**
     * Does the task's writes and its completion in one transaction, once: where an earlier attempt has committed, that
     * one's result is answered and nothing is written. With its commit the task has succeeded, whatever follows.
     *
     * <pre>{@code
     * .handler("charge", Order.class, Receipt.class, (order, context) ->
     *         context.transactionally(effects, Receipt.class, connection -> charge(order, connection)))
     * }</pre>
     *
     * @param work writes with what it is lent, and neither commits nor closes it
     * @return what the task gives
     * @throws dev.hotstate.jobs.EffectRefusedException where this attempt may not write any more
     */
    public <C, R, X extends Exception> @Nullable R transactionally(
            Effects<C> effects, Class<R> type, Writing<C, R, X> work) throws X {
        if (committed != null) {
            throw new IllegalStateException(
                    "task " + taskId() + " has committed already: one transaction is its completion");
        }
        writes = true;
        Committed done = effects.once(task, this::isStillHeld, lent -> json.write(work.write(lent)));
        committed = done;
        return json.read("the result of this task", done.result(), type);
    }

    /** Writes in a transaction that it does not end. */
    @FunctionalInterface
    public interface Writing<C, R, X extends Exception> {
        @Nullable
        R write(C connection) throws X;
    }

    /**
     * Whether a commit is possible that nobody here has heard of: one whose answer was lost, or an earlier attempt's. The
     * number of this one says nothing of that: after a loss of Redis, and where one was handed back, it is the same again.
     */
    boolean mayHaveCommitted() {
        return writes || !NEVER_WRITES.contains(task.lane().run());
    }

    @Nullable
    Committed committed() {
        return committed;
    }

    /** Something beside the thread to be stopped with the attempt; at once, if it is. */
    void onStop(Runnable stopping) {
        attempt.onStop(stopping);
    }

    /** Where Redis does not say, PostgreSQL decides alone: what is committed there is found by the next attempt. */
    private boolean isStillHeld() {
        try {
            Kept kept = tasks.keep(List.of(task.held()), lease).getFirst();
            return kept.until().isPresent() && !kept.cancelled();
        } catch (HotstateException unknown) {
            return true;
        }
    }
}
