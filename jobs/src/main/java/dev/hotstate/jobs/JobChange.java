package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;

/** A job has another state now. It may be told twice, and late. */
public record JobChange(String id, JobStatus status) {}
