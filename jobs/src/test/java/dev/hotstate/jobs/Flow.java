package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.jobs.graph.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A job for tests, as Redis is given it when nothing has run yet. */
final class Flow {
    final String id;
    private final Map<String, TaskSpec> tasks = new LinkedHashMap<>();
    private int epoch = 1;
    private JobStatus status = JobStatus.PENDING;
    private @Nullable Instant startAt;

    Flow(String id) {
        this.id = id;
    }

    Flow task(String task, String... needs) {
        return task(task, any -> any, needs);
    }

    Flow task(String task, Trigger trigger, String... needs) {
        return task(task, trigger(trigger), needs);
    }

    Flow task(String task, UnaryOperator<TaskSpec> more, String... needs) {
        tasks.put(task, more.apply(plain(task, List.of(needs))));
        return this;
    }

    static UnaryOperator<TaskSpec> trigger(Trigger trigger) {
        return t -> new TaskSpec(
                t.id(),
                t.name(),
                t.needs(),
                trigger,
                t.queue(),
                t.run(),
                t.input(),
                t.maxRetries(),
                t.backoff(),
                t.timeout(),
                t.priority());
    }

    static UnaryOperator<TaskSpec> retries(int count) {
        return t -> new TaskSpec(
                t.id(),
                t.name(),
                t.needs(),
                t.trigger(),
                t.queue(),
                t.run(),
                t.input(),
                count,
                t.backoff(),
                t.timeout(),
                t.priority());
    }

    static UnaryOperator<TaskSpec> timeout(Duration timeout) {
        return t -> new TaskSpec(
                t.id(),
                t.name(),
                t.needs(),
                t.trigger(),
                t.queue(),
                t.run(),
                t.input(),
                t.maxRetries(),
                t.backoff(),
                timeout,
                t.priority());
    }

    static UnaryOperator<TaskSpec> lane(String queue, Run run, int priority, @Nullable String input) {
        return t -> new TaskSpec(
                t.id(),
                t.name(),
                t.needs(),
                t.trigger(),
                queue,
                run,
                input,
                t.maxRetries(),
                t.backoff(),
                t.timeout(),
                priority);
    }

    Flow epoch(int number) {
        epoch = number;
        return this;
    }

    Flow paused() {
        status = JobStatus.PAUSED;
        return this;
    }

    Flow startingAt(Instant at) {
        startAt = at;
        return this;
    }

    JobHead head() {
        boolean ruled = tasks.values().stream().anyMatch(task -> task.trigger() != Trigger.ALL_SUCCESS);
        return new JobHead(
                id,
                "Job " + id,
                "tests",
                RedisBench.NOON,
                epoch,
                status,
                tasks.size(),
                tasks.size(),
                0,
                0,
                0,
                ruled,
                startAt);
    }

    List<TaskCell> cells() {
        Map<String, List<String>> dependents = new LinkedHashMap<>();
        tasks.values()
                .forEach(task -> task.needs()
                        .forEach(need -> dependents
                                .computeIfAbsent(need, any -> new ArrayList<>())
                                .add(task.id())));
        return tasks.values().stream()
                .map(task -> new TaskCell(
                        task,
                        task.needs().isEmpty() ? TaskStatus.READY : TaskStatus.WAITING,
                        0,
                        task.needs().size(),
                        0,
                        0,
                        dependents.getOrDefault(task.id(), List.of()),
                        null))
                .toList();
    }

    List<String> ids() {
        return List.copyOf(tasks.keySet());
    }

    private static TaskSpec plain(String id, List<String> needs) {
        return new TaskSpec(
                id,
                "Task " + id,
                needs,
                Trigger.ALL_SUCCESS,
                "default",
                new Run.External(),
                null,
                0,
                Duration.ofSeconds(10),
                Duration.ofMinutes(10),
                4);
    }
}
