package dev.hotstate.jobs;

import dev.hotstate.core.Fence;
import java.time.Instant;

/**
 * A task whose last attempt lapsed: whether its effects were committed, PostgreSQL knows.
 *
 * @param error what it is called when they were not
 */
record Lapsed(String jobId, String taskId, int epoch, int attempt, Fence fence, Instant at, String error) {
    Held held() {
        return new Held(jobId, taskId, fence);
    }
}
