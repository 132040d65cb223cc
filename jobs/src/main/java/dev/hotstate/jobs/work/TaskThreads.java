package dev.hotstate.jobs.work;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TransferQueue;
import org.jspecify.annotations.Nullable;

/**
 * Threads for tasks: virtual ones, but for a task that is alone. Tasks that follow one another wait for Redis and nothing
 * else: a thread of the system's is woken by the answer itself, a virtual one by way of two others. There is one such
 * thread; while a handler keeps it, others do without.
 */
final class TaskThreads implements AutoCloseable {
    private final ThreadFactory each;
    private final TransferQueue<Runnable> alone = new LinkedTransferQueue<>();
    private final @Nullable Thread lone;
    private volatile boolean closed;

    /** @param chosen for each task; null: as suits */
    TaskThreads(@Nullable ThreadFactory chosen) {
        this.each = chosen == null ? Thread.ofVirtual().name("task-", 0).factory() : chosen;
        this.lone =
                chosen == null ? Thread.ofPlatform().daemon().name("task-alone").unstarted(this::runAlone) : null;
    }

    void start() {
        if (lone != null) {
            lone.start();
        }
    }

    /** @param isAlone whether no other task is under way */
    void start(Runnable task, boolean isAlone) {
        if (!isAlone || !alone.tryTransfer(task)) {
            each.newThread(task).start();
        }
    }

    /** Whether the next task may as well follow on this thread. */
    boolean isRight(boolean isAlone) {
        return Thread.currentThread() == lone ? isAlone : !isAlone || !alone.hasWaitingConsumer();
    }

    /** What runs goes on. */
    @Override
    public void close() {
        closed = true;
        if (lone != null) {
            lone.interrupt();
        }
    }

    private void runAlone() {
        while (!closed) {
            try {
                alone.take().run();
            } catch (InterruptedException late) {
                // It was meant for the task before, which nobody waited for any more; or this is closed.
            }
        }
    }
}
