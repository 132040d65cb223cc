package dev.hotstate.bench.jobs;

import dev.hotstate.core.Partition;
import dev.hotstate.jobs.Ending;
import dev.hotstate.jobs.Held;
import dev.hotstate.jobs.Recall;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Passes everything on, and notes when an end was last answered: what BullMQ's {@code completed} is over there. */
final class TimedTasks implements Tasks {
    private final Tasks tasks;
    private final AtomicLong lastEnd = new AtomicLong();

    TimedTasks(Tasks tasks) {
        this.tasks = tasks;
    }

    /** By the clock of {@link System#nanoTime}. */
    long lastEnd() {
        return lastEnd.get();
    }

    @Override
    public Advanced end(List<Ending> endings, @Nullable Wanted next) {
        Advanced advanced = tasks.end(endings, next);
        lastEnd.set(System.nanoTime());
        return advanced;
    }

    @Override
    public Claimer claimer(Recall recall) {
        return tasks.claimer(recall);
    }

    @Override
    public Partition partitionOf(String jobId) {
        return tasks.partitionOf(jobId);
    }

    @Override
    public List<Kept> keep(List<Held> held, Duration lease) {
        return tasks.keep(held, lease);
    }

    @Override
    public List<Kept> keepAtLeast(List<Held> held, Duration lease) {
        return tasks.keepAtLeast(held, lease);
    }

    @Override
    public boolean log(Held task, List<String> lines) {
        return tasks.log(task, lines);
    }
}
