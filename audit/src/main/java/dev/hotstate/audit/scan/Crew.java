package dev.hotstate.audit.scan;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/** Works on all nodes at the same time and tells how far it is, from the thread that waits. */
final class Crew {
    private static final long TOLD_EVERY_MILLIS = 200;

    private final ScanOptions.Watcher watcher;
    private final LongAdder done = new LongAdder();
    private String phase = "";
    private long total;
    private long before;
    private long began;
    private volatile boolean stopped;

    Crew(ScanOptions.Watcher watcher) {
        this.watcher = watcher;
    }

    /** @param already done before, by a scan that was stopped */
    void begin(String name, long all, long already) {
        phase = name;
        total = all;
        before = already;
        began = System.nanoTime();
        done.reset();
    }

    /** @return whether to go on */
    boolean did(long keys) {
        done.add(keys);
        return !stopped;
    }

    boolean isStopped() {
        return stopped;
    }

    void run(List<Runnable> work) throws InterruptedException {
        // Threads of the system: one that waits for a socket is woken directly, and each node keeps one busy.
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("audit-", 0).factory())) {
            CompletableFuture<Void> all = CompletableFuture.allOf(work.stream()
                    .map(one -> CompletableFuture.runAsync(one, threads))
                    .toArray(CompletableFuture[]::new));
            await(all);
        } finally {
            stopped |= Thread.currentThread().isInterrupted();
        }
    }

    /** Who is told may fail: the work must end then, since its threads are waited for. */
    private void await(CompletableFuture<Void> all) throws InterruptedException {
        try {
            tell();
            while (!isOver(all)) {
                tell();
            }
            tell();
        } catch (RuntimeException failed) {
            stopped = true;
            throw failed;
        }
    }

    private boolean isOver(CompletableFuture<Void> all) throws InterruptedException {
        try {
            all.get(TOLD_EVERY_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (InterruptedException unwanted) {
            stopped = true;
            throw unwanted;
        } catch (ExecutionException failed) {
            throw new CompletionException(failed.getCause());
        }
    }

    private void tell() {
        double seconds = (System.nanoTime() - began) / 1e9;
        long now = done.sum();
        if (!watcher.at(phase, before + now, total, seconds == 0 ? 0 : now / seconds)) {
            stopped = true;
        }
    }
}
