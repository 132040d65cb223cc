package dev.hotstate.jobs;

import dev.hotstate.core.Fence;

/** A task that a worker holds, or believes to. */
public record Held(String jobId, String taskId, Fence fence) {}
