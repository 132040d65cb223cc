package dev.hotstate.server.jobs;

import dev.hotstate.jobs.JobKeys;
import dev.hotstate.jobs.Jobs;
import dev.hotstate.jobs.QueueView;
import dev.hotstate.jobs.WorkerView;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Request;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where tasks wait, and who takes them. */
final class QueueCalls {
    private static final int MOST_AT_ONCE = 100_000;

    private final Jobs jobs;

    QueueCalls(Jobs jobs) {
        this.jobs = jobs;
    }

    Answer queues(Request request) {
        return listing(request, jobs.queues().stream().map(QueueShown::of).toList(), QueueShown::name);
    }

    Answer workers(Request request) {
        return listing(request, jobs.workers().stream().map(WorkerShown::of).toList(), WorkerShown::name);
    }

    /** Sets, or with null lifts, how many of its tasks may run at once. */
    Answer limit(Request request) {
        String queue = request.path("queue");
        var concurrency = request.body(QueueBody.class).concurrency;
        new Check()
                .that(
                        JobPath.isName(queue, JobKeys.MAX_QUEUE),
                        "queue",
                        "must be 1 to " + JobKeys.MAX_QUEUE + " of A-Z a-z 0-9 . _ -")
                .that(
                        concurrency == null || (concurrency >= 0 && concurrency <= MOST_AT_ONCE),
                        "concurrency",
                        "must be from 0 to " + MOST_AT_ONCE + ", or null for any number")
                .refuse();
        jobs.limit(queue, concurrency);
        return Answer.ok(jobs.queues().stream()
                .filter(view -> view.name().equals(queue))
                .findAny()
                .map(QueueShown::of)
                .orElseGet(() -> new QueueShown(queue, 0, 0, 0, concurrency)));
    }

    private static <T> Answer listing(Request request, List<T> all, Function<T, String> name) {
        var page = request.page();
        var after = page.cursor().orElse("");
        var found = all.stream()
                .sorted(Comparator.comparing(name))
                .filter(item -> name.apply(item).compareTo(after) > 0)
                .limit(page.limit() + 1L)
                .toList();
        return Answer.ok(Listing.of(found, page, name));
    }

    private record QueueBody(@Nullable Integer concurrency) {}

    /** @param depth tasks that are ready and wait for a worker */
    private record QueueShown(
            String name,
            long depth,
            long lagMs,
            long running,
            @Nullable Integer concurrency) {
        static QueueShown of(QueueView view) {
            return new QueueShown(view.name(), view.ready(), view.lag().toMillis(), view.running(), view.concurrency());
        }
    }

    /** @param tasks those it holds now, at most 100 of them; their fences are theirs alone */
    private record WorkerShown(
            String name, List<String> queues, @Nullable Instant seenAt, int running, List<TaskName> tasks) {
        static WorkerShown of(WorkerView view) {
            return new WorkerShown(
                    view.name(),
                    view.queues(),
                    view.seenAt(),
                    view.running(),
                    view.tasks().stream()
                            .map(held -> new TaskName(held.jobId(), held.taskId()))
                            .toList());
        }
    }

    private record TaskName(String jobId, String taskId) {}
}
