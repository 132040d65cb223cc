package dev.hotstate.jobs;

import static dev.hotstate.jobs.graph.TaskStatus.FAILED;
import static dev.hotstate.jobs.graph.TaskStatus.SKIPPED;
import static dev.hotstate.jobs.graph.TaskStatus.SUCCEEDED;

import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What must become of a job, by the meaning of the rules alone: how each task that began has ended decides the rest. */
final class Oracle {
    private final List<TaskSpec> tasks;
    private final Map<String, TaskStatus> ended = new HashMap<>();

    /** @param tasks each after those that it needs */
    Oracle(List<TaskSpec> tasks) {
        this.tasks = tasks;
    }

    void ended(String task, TaskStatus how) {
        if (ended.put(task, how) != null) {
            throw new AssertionError(task + " ended twice");
        }
    }

    /** Whether the rule of a task has come true by what has ended so far. */
    boolean mayBegin(TaskSpec task) {
        Map<String, TaskStatus> now = states();
        List<TaskStatus> needs =
                task.needs().stream().map(now::get).filter(Objects::nonNull).toList();
        boolean all = needs.size() == task.needs().size();
        return switch (task.trigger()) {
            case ALL_SUCCESS -> all && needs.stream().allMatch(SUCCEEDED::equals);
            case ALL_DONE -> all;
            case ONE_SUCCESS -> task.needs().isEmpty() || needs.contains(SUCCEEDED);
            case ONE_FAILED -> task.needs().isEmpty() || needs.contains(FAILED);
            case NONE_FAILED -> all && !needs.contains(FAILED);
        };
    }

    /** How tasks have ended, those that are skipped included; others are absent. */
    Map<String, TaskStatus> states() {
        Map<String, TaskStatus> states = new HashMap<>();
        for (TaskSpec task : tasks) {
            TaskStatus own = ended.get(task.id());
            if (own != null) {
                states.put(task.id(), own);
            } else if (!task.needs().isEmpty() && isHopeless(task, states)) {
                states.put(task.id(), SKIPPED);
            }
        }
        return states;
    }

    private static boolean isHopeless(TaskSpec task, Map<String, TaskStatus> states) {
        List<TaskStatus> needs =
                task.needs().stream().map(states::get).filter(Objects::nonNull).toList();
        boolean all = needs.size() == task.needs().size();
        return switch (task.trigger()) {
            case ALL_SUCCESS -> needs.contains(FAILED) || needs.contains(SKIPPED);
            case ALL_DONE -> false;
            case ONE_SUCCESS -> all && !needs.contains(SUCCEEDED);
            case ONE_FAILED -> all && !needs.contains(FAILED);
            case NONE_FAILED -> needs.contains(FAILED);
        };
    }

    boolean isOver() {
        return states().size() == tasks.size();
    }
}
