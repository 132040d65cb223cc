package dev.hotstate.jobs;

import dev.hotstate.core.Slice;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The door for those who submit jobs and watch them. What is submitted or decided here is in PostgreSQL before it is
 * answered; what is shown is from Redis while a job is there, and from PostgreSQL after that.
 */
public interface Jobs {

    /**
     * The job is stored, and soon afterwards under way; one with the same id or key is answered as it is. In a transaction
     * of the same thread, such as that of a task ({@link dev.hotstate.jobs.work.TaskContext#transactionally}), it is part of
     * that: under way once it is committed, and never if it is rolled back. So are cancel, pause, resume and rerun.
     */
    Submitted submit(JobSpec job);

    Optional<JobView> find(String id);

    /** Newest first. {@code q} is looked for in ids, names and authors. */
    Slice<JobView> list(@Nullable JobStatus status, @Nullable String q, int limit, @Nullable String cursor);

    /** In the order of submission; with results of up to 4 KB. */
    Slice<TaskView> tasks(String job, @Nullable TaskStatus status, int limit, @Nullable String cursor);

    /** All tasks in the order of submission, without what they have given. */
    Slice<TaskView> outline(String job, int limit, @Nullable String cursor);

    /** As it was submitted. */
    Optional<Graph> graph(String job);

    Optional<TaskView> task(String job, String task);

    Optional<Why> why(String job, String task);

    /** Lines from a number on; of a task without a log, none. */
    Optional<LogPart> logs(String job, String task, long from, int limit);

    /**
     * Twice is as good as once.
     *
     * @throws JobStateException where the job has ended otherwise
     */
    JobView cancel(String id);

    /** Running tasks go on, no other begins. */
    JobView pause(String id);

    JobView resume(String id);

    /** @throws JobStateException where the job has not ended */
    JobView rerun(String id, Rerun which);

    List<QueueView> queues();

    /** Sets, or with null lifts, how many tasks of a queue may run at once; with 0 none begins. */
    void limit(String queue, @Nullable Integer concurrency);

    List<WorkerView> workers();

    /** @param created false where the job was there already */
    record Submitted(JobView job, boolean created) {}
}
