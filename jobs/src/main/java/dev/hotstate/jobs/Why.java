package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.TaskStatus;
import java.util.List;

/**
 * Why a task is where it is.
 *
 * @param reason a sentence for a person
 * @param blockedBy the needs that have not ended, with their states; at most 100
 */
public record Why(TaskStatus status, String reason, List<Need> blockedBy) {
    public record Need(String task, TaskStatus status) {}
}
