package dev.hotstate.jobs.graph;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.List;

/** A task of a {@link JobBuilder}. Without a run it is for an external worker. */
public final class TaskBuilder {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TaskDraft task;

    TaskBuilder(String id) {
        this.task = new TaskDraft(id);
    }

    public TaskBuilder name(String name) {
        task.name = name;
        return this;
    }

    public TaskBuilder needs(String... ids) {
        return needs(List.of(ids));
    }

    public TaskBuilder needs(List<String> ids) {
        task.needs = ids;
        return this;
    }

    public TaskBuilder trigger(Trigger trigger) {
        task.trigger = trigger;
        return this;
    }

    public TaskBuilder queue(String queue) {
        task.queue = queue;
        return this;
    }

    public TaskBuilder handler(String name) {
        return run(new Run.Handler(name));
    }

    public TaskBuilder shell(String command) {
        return run(new Run.Shell(command));
    }

    public TaskBuilder run(Run run) {
        task.run = run;
        return this;
    }

    /** Whatever Jackson can write. */
    public TaskBuilder input(Object input) {
        try {
            task.input = JSON.writeValueAsString(input);
        } catch (JsonProcessingException unwritable) {
            throw new IllegalArgumentException("input cannot be written as JSON: " + input.getClass(), unwritable);
        }
        return this;
    }

    public TaskBuilder maxRetries(int most) {
        task.maxRetries = most;
        return this;
    }

    public TaskBuilder backoff(Duration first) {
        task.backoff = first;
        return this;
    }

    public TaskBuilder timeout(Duration longest) {
        task.timeout = longest;
        return this;
    }

    public TaskBuilder priority(int priority) {
        task.priority = priority;
        return this;
    }

    TaskDraft draft() {
        return task;
    }
}
