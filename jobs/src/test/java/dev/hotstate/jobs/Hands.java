package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** Somebody who takes whatever is ready for external workers of a queue, and ends each as a test says. */
final class Hands implements AutoCloseable {
    private final Tasks tasks;
    private final Wanted wanted;
    private final Function<Claimed, Ending> work;
    private final Queue<String> taken = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    Hands(Tasks tasks, String queue, Function<Claimed, Ending> work) {
        this.tasks = tasks;
        this.wanted = new Wanted(
                "hands", List.of(new Lane(queue, "worker")), 10, Duration.ofSeconds(5), Duration.ofMillis(200));
        this.work = work;
        this.thread = Thread.ofVirtual().start(this::run);
    }

    /** Completes all of them, with the id as the result. */
    static Ending complete(Claimed task) {
        return new Ending.Completed(task.held(), "\"" + task.taskId() + "\"");
    }

    static Ending fail(Claimed task) {
        return new Ending.Failed(task.held(), "it broke", false);
    }

    /** Each attempt that was begun, as {@code job/task}. */
    List<String> taken() {
        return List.copyOf(taken);
    }

    @Override
    public String toString() {
        return "taken were " + taken();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        List<Ending> untold = List.of();
        try {
            while (!closed) {
                try {
                    // As any worker: what was not answered is told again.
                    untold = tell(untold);
                    List<Claimed> some = tasks.claim(wanted);
                    some.forEach(task -> taken.add(task.jobId() + "/" + task.taskId()));
                    untold = some.stream().map(work).toList();
                    untold = tell(untold);
                } catch (HotstateException away) {
                    Thread.sleep(20);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Ending> tell(List<Ending> endings) {
        if (!endings.isEmpty()) {
            tasks.end(endings, null);
        }
        return List.of();
    }
}
