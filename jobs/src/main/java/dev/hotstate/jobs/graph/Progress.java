package dev.hotstate.jobs.graph;

import java.util.Map;

/**
 * How far a job is, from the tasks that are known to have ended: what follows from them for the others. What was under way
 * is ready again, and what can no longer come is skipped, as Redis would have decided.
 */
public final class Progress {
    private final Graph graph;
    private final TaskStatus[] states;
    private final int[] remaining;
    private final int[] failed;
    private final int[] other;
    private final int[] counts = new int[TaskStatus.values().length];

    private Progress(Graph graph) {
        this.graph = graph;
        this.states = new TaskStatus[graph.size()];
        this.remaining = new int[graph.size()];
        this.failed = new int[graph.size()];
        this.other = new int[graph.size()];
    }

    /** @param ended how tasks have ended, by their ids; of those that have not, nothing is taken from it */
    public static Progress of(Graph graph, Map<String, TaskStatus> ended) {
        Progress progress = new Progress(graph);
        for (int task : graph.order()) {
            progress.count(task);
            TaskStatus known = ended.get(graph.task(task).id());
            TaskStatus state = known != null && known.isTerminal() ? known : progress.decided(task);
            progress.states[task] = state;
            progress.counts[state.ordinal()]++;
        }
        return progress;
    }

    /** WAITING, READY, or how it has ended. */
    public TaskStatus status(int task) {
        return states[task];
    }

    /** Needs that have not ended. */
    public int remaining(int task) {
        return remaining[task];
    }

    /** Needs that have failed. */
    public int failed(int task) {
        return failed[task];
    }

    /** Of a task that waits for one success, needs that have succeeded; else needs that were skipped or cancelled. */
    public int other(int task) {
        return other[task];
    }

    public int count(TaskStatus status) {
        return counts[status.ordinal()];
    }

    /** Tasks that have not ended. */
    public int open() {
        return count(TaskStatus.WAITING) + count(TaskStatus.READY);
    }

    private void count(int task) {
        boolean countsSuccesses = graph.task(task).trigger() == Trigger.ONE_SUCCESS;
        for (int need : graph.needs(task)) {
            switch (states[need]) {
                case SUCCEEDED -> other[task] += countsSuccesses ? 1 : 0;
                case FAILED -> failed[task]++;
                case SKIPPED, CANCELLED -> other[task] += countsSuccesses ? 0 : 1;
                default -> remaining[task]++;
            }
        }
    }

    private TaskStatus decided(int task) {
        boolean allEnded = remaining[task] == 0;
        boolean noneFailed = failed[task] == 0;
        // Of a task that needs nothing no rule is asked: it is where the job begins.
        if (graph.needs(task).isEmpty()) {
            return TaskStatus.READY;
        }
        return switch (graph.task(task).trigger()) {
            case ALL_SUCCESS -> failed[task] + other[task] > 0 ? TaskStatus.SKIPPED : readyIf(allEnded);
            case ALL_DONE -> readyIf(allEnded);
            case NONE_FAILED -> noneFailed ? readyIf(allEnded) : TaskStatus.SKIPPED;
            case ONE_FAILED -> noneFailed ? skippedIf(allEnded) : TaskStatus.READY;
            case ONE_SUCCESS -> other[task] > 0 ? TaskStatus.READY : skippedIf(allEnded);
        };
    }

    private static TaskStatus readyIf(boolean come) {
        return come ? TaskStatus.READY : TaskStatus.WAITING;
    }

    private static TaskStatus skippedIf(boolean come) {
        return come ? TaskStatus.SKIPPED : TaskStatus.WAITING;
    }
}
