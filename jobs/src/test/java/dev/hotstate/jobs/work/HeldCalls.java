package dev.hotstate.jobs.work;

import dev.hotstate.core.Partition;
import dev.hotstate.jobs.Ending;
import dev.hotstate.jobs.Held;
import dev.hotstate.jobs.Recall;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Passes everything on, but calls that end tasks only once they are let go. */
final class HeldCalls implements Tasks {
    private final Tasks tasks;
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();
    private final CountDownLatch free = new CountDownLatch(1);

    HeldCalls(Tasks tasks) {
        this.tasks = tasks;
    }

    /** How many ends each call so far has brought. */
    List<Integer> sizes() {
        return sizes;
    }

    void letGo() {
        free.countDown();
    }

    @Override
    public Advanced end(List<Ending> endings, @Nullable Wanted next) {
        sizes.add(endings.size());
        try {
            free.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
        return tasks.end(endings, next);
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
