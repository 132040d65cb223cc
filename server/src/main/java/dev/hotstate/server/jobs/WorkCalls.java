package dev.hotstate.server.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.Claimed;
import dev.hotstate.jobs.Ended;
import dev.hotstate.jobs.Ending;
import dev.hotstate.jobs.Held;
import dev.hotstate.jobs.Jobs;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.Wanted;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The protocol of workers that are programs of their own: claim, heartbeat, log, complete, fail. */
final class WorkCalls {
    static final int LARGEST_BATCH = 8 * 1024 * 1024;

    private static final int MOST_LINES = 1_000;
    private static final int MOST_ITEMS = 1_000;

    private final Jobs jobs;
    private final Tasks tasks;
    private final Polls polls;

    WorkCalls(Jobs jobs, Tasks tasks) {
        this.jobs = jobs;
        this.tasks = tasks;
        this.polls = new Polls(tasks);
    }

    void stopping() {
        polls.stopping();
    }

    Answer claim(Request request) {
        var wanted = request.body(ClaimBody.class).wanted("", new Check());
        var claimed = polls.claim(wanted, request);
        return Answer.ok(Map.of("items", shown(claimed))).orElse(() -> polls.handBack(claimed));
    }

    Answer complete(Request request) {
        var path = JobPath.of(request);
        var check = new Check();
        var body = request.body(Completion.class);
        var ending = new Ending.Completed(held(path, body.fence, check), Given.result(body.result, "result", check));
        check.refuse();
        return ended(path, ending, "completed");
    }

    Answer fail(Request request) {
        var path = JobPath.of(request);
        var check = new Check();
        var body = request.body(Failure.class);
        var ending = new Ending.Failed(
                held(path, body.fence, check),
                body.error == null || body.error.isBlank() ? "failed" : body.error,
                !Boolean.FALSE.equals(body.retryable));
        check.refuse();
        return ended(path, ending, "failed");
    }

    private Answer ended(JobPath path, Ending ending, String status) {
        var ended = tasks.end(List.of(ending), null).endings().getFirst();
        if (ended != Ended.DONE) {
            throw ended == Ended.REPEATED ? repeated(path) : refusal(path);
        }
        return Answer.ok(new Item(path.job(), path.task(), status, null));
    }

    Answer heartbeat(Request request) {
        var path = JobPath.of(request);
        var check = new Check();
        var body = request.body(Heartbeat.class);
        var held = held(path, body.fence, check);
        var lease = ClaimBody.lease(body.lease, "", check);
        check.refuse();
        var kept = (body.lease == null ? tasks.keepAtLeast(List.of(held), lease) : tasks.keep(List.of(held), lease))
                .getFirst();
        var until = kept.until().orElseThrow(() -> kept.cancelled() ? cancelled(path) : refusal(path));
        return Answer.ok(new KeptShown(until, kept.cancelled()));
    }

    Answer log(Request request) {
        var path = JobPath.of(request);
        var check = new Check();
        var body = request.body(LogBody.class);
        var held = held(path, body.fence, check);
        var lines = Given.lines(body.lines, "lines", check);
        check.given(body.lines, "lines")
                .that(lines.size() <= MOST_LINES, "lines", "must be at most " + MOST_LINES + ", not " + lines.size());
        check.refuse();
        if (!tasks.log(held, lines)) {
            throw refusal(path);
        }
        return Answer.ok(Map.of("lines", lines.size()));
    }

    /** Many endings, each for itself, and what to do next. */
    Answer completeAll(Request request) {
        var body = request.body(Batch.class);
        var items = Objects.requireNonNullElse(body.items, List.<BatchItem>of());
        var check = new Check()
                .given(body.items, "items")
                .that(items.size() <= MOST_ITEMS, "items", "must be at most " + MOST_ITEMS + ", not " + items.size());
        check.refuse();
        var endings = endings(items, check);
        var wanted = body.claim == null ? null : body.claim.wanted("claim.", check);
        check.refuse();
        var possible = endings.stream().filter(WorkCalls::isPossible).toList();
        var advanced = tasks.end(possible, wanted);
        // As a claim by itself does, it looks in every partition, also for who does not wait.
        var claimed = advanced.next().isEmpty() && wanted != null
                ? next(wanted, request, !possible.isEmpty())
                : advanced.next();
        return Answer.ok(new BatchShown(told(endings, possible, advanced.endings()), shown(claimed)))
                .orElse(() -> polls.handBack(claimed));
    }

    /** None also where nobody can be asked now: what has counted is told nonetheless, if there was anything to count. */
    private List<Claimed> next(Wanted wanted, Request request, boolean toldSome) {
        try {
            return polls.claim(wanted, request);
        } catch (HotstateException notNow) {
            if (toldSome) {
                return List.of();
            }
            throw notNow;
        }
    }

    private static List<Ending> endings(List<BatchItem> items, Check check) {
        var endings = new ArrayList<Ending>();
        for (int i = 0; i < items.size(); i++) {
            var item = Objects.requireNonNullElse(items.get(i), BatchItem.NONE);
            String place = "items[" + i + "].";
            check.required(item.jobId, place + "job_id").required(item.taskId, place + "task_id");
            check.required(item.fence, place + "fence");
            var held = new Held(
                    Objects.requireNonNullElse(item.jobId, ""),
                    Objects.requireNonNullElse(item.taskId, ""),
                    Given.fence(item.fence));
            endings.add(new Ending.Completed(held, Given.result(item.result, place + "result", check)));
        }
        return endings;
    }

    private static boolean isPossible(Ending ending) {
        return JobPath.isPossible(ending.held().jobId(), ending.held().taskId());
    }

    private static List<Item> told(List<Ending> asked, List<Ending> possible, List<Ended> ended) {
        var told = new ArrayList<Item>();
        int next = 0;
        for (var ending : asked) {
            boolean known = next < possible.size() && possible.get(next) == ending;
            var outcome = known ? ended.get(next++) : Ended.UNKNOWN;
            told.add(new Item(
                    ending.held().jobId(),
                    ending.held().taskId(),
                    word(outcome),
                    outcome == Ended.REPEATED ? true : null));
        }
        return told;
    }

    private static String word(Ended outcome) {
        return switch (outcome) {
            case DONE -> "completed";
            case REPEATED, STALE -> "stale";
            case UNKNOWN -> "unknown";
        };
    }

    private static Held held(JobPath path, @Nullable String fence, Check check) {
        check.required(fence, "fence");
        return new Held(path.job(), path.task(), Given.fence(fence));
    }

    private static List<ClaimedShown> shown(List<Claimed> claimed) {
        return claimed.stream().map(ClaimedShown::of).toList();
    }

    /**
     * A task that Redis has let go of has ended long ago: whoever speaks of it is late. Without PostgreSQL it is not known
     * whether there ever was such a task; the fence is of no use either way.
     */
    private Problem refusal(JobPath path) {
        try {
            var task = jobs.task(path.job(), path.task()).orElseThrow(path::unknown);
            return task.status() == TaskStatus.CANCELLED ? cancelled(path) : stale(path);
        } catch (StoreUnavailableException away) {
            return stale(path);
        }
    }

    private static Problem stale(JobPath path) {
        return Problem.staleFence("Somebody else holds the task \"" + path.task() + "\" of the job \"" + path.job()
                + "\" by now, or it has ended; nothing was changed.");
    }

    /** For who was not answered the first time, and asks again. */
    private static Problem repeated(JobPath path) {
        return Problem.staleFence("This has counted already: the task \"" + path.task() + "\" of the job \""
                + path.job() + "\" was ended so under this very fence; nothing was changed.");
    }

    /** Also where the fence is the task's own: there is nothing left that it would be good for. */
    private static Problem cancelled(JobPath path) {
        return Problem.staleFence("The job was cancelled: stop working on the task \"" + path.task() + "\" of \""
                + path.job() + "\"; nothing was changed.");
    }

    private record Completion(
            @Nullable String fence, @Nullable JsonNode result) {}

    private record Failure(
            @Nullable String fence,
            @Nullable String error,
            @Nullable Boolean retryable) {}

    private record Heartbeat(
            @Nullable String fence, @Nullable Duration lease) {}

    private record LogBody(@Nullable String fence, @Nullable List<@Nullable String> lines) {}

    private record Batch(
            @Nullable List<BatchItem> items, @Nullable ClaimBody claim) {}

    private record BatchItem(
            @Nullable String jobId,
            @Nullable String taskId,
            @Nullable String fence,
            @Nullable JsonNode result) {
        static final BatchItem NONE = new BatchItem(null, null, null, null);
    }

    /** @param repeated true where it is stale because it has counted before, under this very fence */
    private record Item(
            String jobId,
            String taskId,
            String status,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Boolean repeated) {}

    private record BatchShown(List<Item> items, List<ClaimedShown> claimed) {}

    /** @param cancelled whether the job was cancelled, so that the worker can stop */
    private record KeptShown(Instant leaseUntil, boolean cancelled) {}
}
