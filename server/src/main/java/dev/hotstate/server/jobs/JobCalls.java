package dev.hotstate.server.jobs;

import dev.hotstate.core.Slice;
import dev.hotstate.jobs.JobView;
import dev.hotstate.jobs.Jobs;
import dev.hotstate.jobs.Rerun;
import dev.hotstate.jobs.Why;
import dev.hotstate.jobs.graph.JobDocument;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Page;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Jobs as people see them: submitted, watched, held up, ended, run again. */
final class JobCalls {
    private static final int LONGEST_SEARCH = 200;
    private static final int MOST_ROUNDS = 30;
    private static final Duration ROUND = Duration.ofMillis(100);
    private static final Pattern JOB_CURSOR = Pattern.compile("\\d{1,18}");
    private static final Pattern TASK_CURSOR = Pattern.compile("\\d{1,9}");

    private final Jobs jobs;
    private final AllowedRuns allowed;

    JobCalls(Jobs jobs, AllowedRuns allowed) {
        this.jobs = jobs;
        this.allowed = allowed;
    }

    /** 201 for a new job, 200 for one that was submitted before. */
    Answer submit(Request request) {
        JobSpec job = request.document(JobDocument::json, JobDocument::yaml).job();
        new Check().id(job.id(), "id").refuse();
        var submitted = jobs.submit(allowed.check(new Unmasked(null, "").job(job), ""));
        var shown = JobShown.of(submitted.job());
        return submitted.created() ? Answer.created("/jobs/" + shown.id(), shown) : Answer.ok(shown);
    }

    Answer list(Request request) {
        var page = request.page();
        var found =
                jobs.list(status(request, JobStatus.values()), search(request), page.limit(), cursor(page, JOB_CURSOR));
        return listing(found, JobShown::of);
    }

    Answer find(Request request) {
        String id = JobPath.job(request);
        return Answer.ok(JobShown.of(jobs.find(id).orElseThrow(() -> JobPath.unknownJob(id))));
    }

    Answer tasks(Request request) {
        String id = JobPath.job(request);
        var page = request.page();
        var found = jobs.tasks(id, status(request, TaskStatus.values()), page.limit(), cursor(page, TASK_CURSOR));
        return listing(found, task -> TaskShown.item(id, task));
    }

    Answer task(Request request) {
        var path = JobPath.of(request);
        return Answer.ok(
                TaskShown.of(path.job(), jobs.task(path.job(), path.task()).orElseThrow(path::unknown)));
    }

    Answer why(Request request) {
        var path = JobPath.of(request);
        return Answer.ok(WhyShown.of(jobs.why(path.job(), path.task()).orElseThrow(path::unknown)));
    }

    Answer cancel(Request request) {
        return changed(jobs.cancel(bare(request)));
    }

    Answer pause(Request request) {
        return changed(jobs.pause(bare(request)));
    }

    Answer resume(Request request) {
        return changed(jobs.resume(bare(request)));
    }

    /** The job of a call that says no more than that. */
    private static String bare(Request request) {
        String id = JobPath.job(request);
        request.noBody();
        return id;
    }

    Answer rerun(Request request) throws InterruptedException {
        String id = JobPath.job(request);
        Rerun which = request.body(RerunBody.class).which();
        for (int round = 0; round < MOST_ROUNDS && hasJustEnded(id); round++) {
            Thread.sleep(ROUND);
        }
        return changed(jobs.rerun(id, which));
    }

    /** As Redis has it; PostgreSQL, which runs it again, hears of it in a moment. */
    private boolean hasJustEnded(String id) {
        return jobs.find(id)
                .filter(job -> job.live() && job.status().isTerminal())
                .isPresent();
    }

    private static Answer changed(JobView job) {
        return Answer.ok(JobShown.of(job));
    }

    private static <T, S> Answer listing(Slice<T> slice, Function<T, S> shown) {
        return Answer.ok(new Listing<>(slice.items().stream().map(shown).toList(), slice.next()));
    }

    /** A number to those who gave it out; anything else never was one. */
    private static @Nullable String cursor(Page page, Pattern given) {
        return page.cursor()
                .map(cursor -> {
                    if (!given.matcher(cursor).matches()) {
                        throw Problem.invalid("cursor", "must be the next_cursor of an earlier answer");
                    }
                    return cursor;
                })
                .orElse(null);
    }

    private static <E extends Enum<E>> @Nullable E status(Request request, E[] values) {
        String asked = request.query("status").orElse("").toUpperCase(Locale.ROOT);
        if (asked.isEmpty()) {
            return null;
        }
        return Arrays.stream(values)
                .filter(value -> value.name().equals(asked))
                .findAny()
                .orElseThrow(() -> Problem.invalid(
                        "status",
                        "must be one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(values).map(Enum::name).toList())));
    }

    private static @Nullable String search(Request request) {
        String q = request.query("q").orElse("").strip();
        if (q.length() > LONGEST_SEARCH) {
            throw Problem.invalid("q", "must be at most " + LONGEST_SEARCH + " characters");
        }
        return q.isEmpty() ? null : q;
    }

    /** Either of the two. */
    private record RerunBody(
            @Nullable String from, @Nullable String task) {
        Rerun which() {
            new Check()
                    .that((from == null) != (task == null), "", "give either from or task")
                    .that(from == null || from.equals("failed"), "from", "must be \"failed\"")
                    .refuse();
            return task == null ? new Rerun.FromFailed() : new Rerun.FromTask(task);
        }
    }

    /** @param blockedBy the needs that it still waits for, at most 100 */
    private record WhyShown(TaskStatus status, String reason, List<NeedShown> blockedBy) {
        static WhyShown of(Why why) {
            return new WhyShown(
                    why.status(),
                    why.reason(),
                    why.blockedBy().stream()
                            .map(need -> new NeedShown(need.task(), need.status()))
                            .toList());
        }
    }

    private record NeedShown(String task, TaskStatus status) {}
}
