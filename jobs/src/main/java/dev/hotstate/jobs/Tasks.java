package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The door for those who work: claim, keep, log, end. Each call is one round trip a partition. */
public interface Tasks {

    /** Takes ready tasks, waiting for a first one as long as is wanted; empty when none came. */
    default List<Claimed> claim(Wanted wanted) throws InterruptedException {
        return claim(wanted, new Recall());
    }

    /**
     * The same, until it is called back: then with what has come by then. An interrupt may lose what has just come.
     *
     * @throws HotstateException where nobody could be asked for any
     */
    default List<Claimed> claim(Wanted wanted, Recall recall) throws InterruptedException {
        try (Claimer claimer = claimer(recall)) {
            return claimer.claim(wanted);
        }
    }

    /** For whoever claims again and again. */
    Claimer claimer(Recall recall);

    /**
     * Ends attempts, each for itself, and takes the next tasks on the way where some are wanted (without waiting).
     *
     * @param next null where nothing more is wanted
     */
    Advanced end(List<Ending> endings, @Nullable Wanted next);

    /** Where a job's tasks are: ends of one partition are told in one round trip. */
    Partition partitionOf(String jobId);

    /** Gives tasks more time, in the order asked; a task whose timeout is near gets no more than that. */
    List<Kept> keep(List<Held> tasks, Duration lease);

    /** The same, but nothing is taken from a lease that is longer already. */
    List<Kept> keepAtLeast(List<Held> tasks, Duration lease);

    /** Adds lines to a task's log; false for a stale fence, and nothing is added. Lines that are too long are cut. */
    boolean log(Held task, List<String> lines);

    /**
     * Claims that follow one another, by one thread. What becomes ready between two of them is not missed; so one that
     * waits does not ask before, where the last has found all that there was.
     */
    interface Claimer extends AutoCloseable {
        /** Takes ready tasks, waiting for a first one as long as is wanted; empty when none came. */
        List<Claimed> claim(Wanted wanted) throws InterruptedException;

        @Override
        void close();
    }

    /** @param endings what each came to, in the order of the call */
    record Advanced(List<Ended> endings, List<Claimed> next) {}

    /**
     * @param until the end of the lease now; empty where the fence is stale
     * @param cancelled whether the job was cancelled: the worker should stop, its ending will be stale
     */
    record Kept(Optional<Instant> until, boolean cancelled) {}
}
