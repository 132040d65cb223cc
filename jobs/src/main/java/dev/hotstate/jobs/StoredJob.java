package dev.hotstate.jobs;

import dev.hotstate.jobs.graph.JobStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as PostgreSQL has it, without its graph.
 *
 * @param number the order of submission
 * @param status what the archive said last: PENDING, RUNNING, or how it ended
 * @param told whether Redis has heard of the intent
 * @param published whether Redis has this epoch of it
 */
record StoredJob(
        String id,
        long number,
        String name,
        String createdBy,
        int priority,
        String queue,
        int tasks,
        int epoch,
        JobStatus status,
        Intent intent,
        boolean told,
        boolean published,
        int succeeded,
        int failed,
        int skipped,
        Instant createdAt,
        @Nullable Instant startAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {

    enum Intent {
        NONE,
        PAUSE,
        CANCEL
    }

    boolean hasEnded() {
        return status.isTerminal();
    }

    /** As it is shown: what was decided holds from then on, whether Redis has heard of it or not. */
    JobStatus shown() {
        if (hasEnded()) {
            return status;
        }
        return switch (intent) {
            case NONE -> status;
            case PAUSE -> JobStatus.PAUSED;
            case CANCEL -> JobStatus.CANCELLED;
        };
    }
}
