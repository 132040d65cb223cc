package dev.hotstate.jobs;

/** A ready set: of a queue, the tasks that one kind of worker can do ({@link dev.hotstate.jobs.graph.Run#lane}). */
public record Lane(String queue, String run) {}
