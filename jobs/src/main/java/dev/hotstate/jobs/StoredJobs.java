package dev.hotstate.jobs;

import dev.hotstate.core.Slice;
import dev.hotstate.jobs.PostgresJobs.Inserted;
import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The door, with what stands behind each of its verbs. */
final class StoredJobs implements Jobs {
    private static final int MOST = 1_000;

    private final Submissions submissions;
    private final Control control;
    private final Showing showing;
    private final QueueLimits limits;

    /** What is shown. */
    record Showing(JobViews jobs, TaskViews tasks, Reasons reasons, Logs logs, Crew crew) {}

    StoredJobs(Submissions submissions, Control control, Showing showing, QueueLimits limits) {
        this.submissions = submissions;
        this.control = control;
        this.showing = showing;
        this.limits = limits;
    }

    @Override
    public Submitted submit(JobSpec job) {
        Inserted inserted = submissions.submit(job);
        JobView view = inserted.created()
                ? JobViews.submitted(inserted.job())
                : showing.jobs().view(inserted.job());
        return new Submitted(view, inserted.created());
    }

    @Override
    public Optional<JobView> find(String id) {
        return showing.jobs().find(id);
    }

    @Override
    public Slice<JobView> list(@Nullable JobStatus status, @Nullable String q, int limit, @Nullable String cursor) {
        return showing.jobs().list(status, q, bounded(limit), cursor);
    }

    @Override
    public Slice<TaskView> tasks(String job, @Nullable TaskStatus status, int limit, @Nullable String cursor) {
        return showing.tasks().list(job, status, bounded(limit), cursor, Results.SHORT);
    }

    @Override
    public Slice<TaskView> outline(String job, int limit, @Nullable String cursor) {
        return showing.tasks().list(job, null, bounded(limit), cursor, Results.NONE);
    }

    @Override
    public Optional<Graph> graph(String job) {
        return showing.tasks().graph(job);
    }

    @Override
    public Optional<TaskView> task(String job, String task) {
        return showing.tasks().find(job, task, Results.ALL);
    }

    @Override
    public Optional<Why> why(String job, String task) {
        return showing.reasons().why(job, task);
    }

    @Override
    public Optional<LogPart> logs(String job, String task, long from, int limit) {
        return showing.logs().read(job, task, Math.max(0, from), bounded(limit));
    }

    @Override
    public JobView cancel(String id) {
        return showing.jobs().view(control.want(id, Intent.CANCEL));
    }

    @Override
    public JobView pause(String id) {
        return showing.jobs().view(control.want(id, Intent.PAUSE));
    }

    @Override
    public JobView resume(String id) {
        return showing.jobs().view(control.want(id, Intent.NONE));
    }

    @Override
    public JobView rerun(String id, Rerun which) {
        return showing.jobs().view(control.rerun(id, which));
    }

    @Override
    public List<QueueView> queues() {
        return showing.crew().queues();
    }

    @Override
    public void limit(String queue, @Nullable Integer concurrency) {
        limits.limit(queue, concurrency);
    }

    @Override
    public List<WorkerView> workers() {
        return showing.crew().workers();
    }

    private static int bounded(int limit) {
        return Math.clamp(limit, 1, MOST);
    }
}
