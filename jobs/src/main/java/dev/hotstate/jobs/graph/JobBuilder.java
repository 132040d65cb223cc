package dev.hotstate.jobs.graph;

import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A job in Java.
 *
 * <pre>{@code
 * JobSpec job = JobSpec.named("Monthly invoices")
 *         .task("collect", task -> task.handler("collect"))
 *         .task("send", task -> task.needs("collect").handler("send").maxRetries(3))
 *         .build();
 * }</pre>
 */
public final class JobBuilder {
    private final JobDraft job = new JobDraft();

    JobBuilder(String name) {
        job.name = name;
        job.tasks = new ArrayList<>();
    }

    public JobBuilder id(String id) {
        job.id = id;
        return this;
    }

    public JobBuilder createdBy(String author) {
        job.createdBy = author;
        return this;
    }

    /** A second submission with the same key is this job. */
    public JobBuilder idempotencyKey(String key) {
        job.idempotencyKey = key;
        return this;
    }

    /** 0 to 9; greater goes first. Of each task that says nothing else. */
    public JobBuilder priority(int priority) {
        job.priority = priority;
        return this;
    }

    /** Of each task that says nothing else. */
    public JobBuilder queue(String queue) {
        job.queue = queue;
        return this;
    }

    public JobBuilder delay(Duration delay) {
        job.delay = delay;
        return this;
    }

    public JobBuilder task(String id, Consumer<TaskBuilder> described) {
        var task = new TaskBuilder(id);
        described.accept(task);
        tasks().add(task.draft());
        return this;
    }

    /** @throws InvalidDocumentException with everything that is wrong */
    public JobSpec build() {
        JobSpec spec = job.spec(new Flaws());
        return Graph.of(spec).job();
    }

    private List<TaskDraft> tasks() {
        return Objects.requireNonNull(job.tasks);
    }
}
