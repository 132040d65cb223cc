package dev.hotstate.server.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cuts clients that are too slow. A thread that reads from or writes to one says how long that may take; when it takes
 * longer, the thread is interrupted, which closes its socket. Looked at once a second, so entering costs next to nothing
 * and a limit is kept to within a second.
 */
final class Watchdog implements AutoCloseable {
    private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
    private final Thread sweeper;

    Watchdog() {
        this.sweeper = Thread.ofVirtual().name("http-watchdog").start(this::sweep);
    }

    /** Begins a span that must end, by closing the guard in the same thread, within the limit. */
    Guard within(Duration limit) {
        var guard = new Guard(Thread.currentThread(), System.nanoTime() + limit.toNanos());
        guards.add(guard);
        return guard;
    }

    @Override
    public void close() {
        sweeper.interrupt();
    }

    private void sweep() {
        try {
            while (true) {
                Thread.sleep(1000);
                long now = System.nanoTime();
                for (var guard : guards) {
                    if (now - guard.deadline > 0) {
                        guard.cut();
                        guards.remove(guard);
                    }
                }
            }
        } catch (InterruptedException e) {
            // Closed: connections end with the server.
        }
    }

    final class Guard implements AutoCloseable {
        private final Thread thread;
        private final long deadline;
        private boolean over;
        private boolean cut;

        private Guard(Thread thread, long deadline) {
            this.thread = thread;
            this.deadline = deadline;
        }

        // Under the same lock as close(), so that a thread which has just left is not interrupted in its next work.
        private synchronized void cut() {
            if (!over && !cut) {
                cut = true;
                thread.interrupt();
            }
        }

        @Override
        public synchronized void close() {
            over = true;
            guards.remove(this);
            if (cut) {
                Thread.interrupted();
            }
        }
    }
}
