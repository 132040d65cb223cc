package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.server.http.Check;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was answered can be sent back though its secrets are masked: they stay what they are, as long as they go to where
 * they went before. A mask in the place of anything else is refused; it would be sent instead of a secret.
 */
final class Unmasked {
    private final Map<String, Run.Http> before = new HashMap<>();
    private final String place;
    private final Check check = new Check();

    /**
     * @param before null where there is none
     * @param place what the names of fields begin with, such as {@code job.}
     */
    Unmasked(@Nullable JobSpec before, String place) {
        this.place = place;
        for (TaskSpec task : before == null ? List.<TaskSpec>of() : before.tasks()) {
            if (task.run() instanceof Run.Http http) {
                this.before.put(task.id(), http);
            }
        }
    }

    JobSpec job(JobSpec given) {
        List<TaskSpec> tasks = IntStream.range(0, given.tasks().size())
                .mapToObj(i -> task(given.tasks().get(i), place + "tasks[" + i + "].run.http."))
                .toList();
        check.refuse();
        return new JobSpec(
                given.id(),
                given.name(),
                given.createdBy(),
                given.idempotencyKey(),
                given.priority(),
                given.queue(),
                given.delay(),
                tasks);
    }

    private TaskSpec task(TaskSpec task, String field) {
        return task.run() instanceof Run.Http http && isMasked(http)
                ? with(task, http(http, before.get(task.id()), field))
                : task;
    }

    private static TaskSpec with(TaskSpec task, Run run) {
        return new TaskSpec(
                task.id(),
                task.name(),
                task.needs(),
                task.trigger(),
                task.queue(),
                run,
                task.input(),
                task.maxRetries(),
                task.backoff(),
                task.timeout(),
                task.priority());
    }

    private static boolean isMasked(Run.Http http) {
        return http.url().contains(RunShown.MASK)
                || http.headers().values().stream().anyMatch(value -> value.contains(RunShown.MASK));
    }

    private Run.Http http(Run.Http given, Run.@Nullable Http stored, String field) {
        String url = stored != null && given.url().equals(RunShown.url(stored.url())) ? stored.url() : given.url();
        check.that(!url.contains(RunShown.MASK), field + "url", "is masked: write out what it stands for");
        var known = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        if (stored != null && Objects.equals(origin(url), origin(stored.url()))) {
            known.putAll(stored.headers());
        }
        var headers = new LinkedHashMap<String, String>();
        given.headers().forEach((name, value) -> {
            String meant = value.equals(RunShown.MASK) ? known.getOrDefault(name, value) : value;
            check.that(
                    !meant.contains(RunShown.MASK),
                    field + "headers." + name,
                    "is masked: write out what it stands for");
            headers.put(name, meant);
        });
        return new Run.Http(given.method(), url, headers, given.body());
    }

    private static String origin(String url) {
        var uri = URI.create(url);
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }
}
