package dev.hotstate.jobs.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends lines of logs while their tasks run: those of one task that come within {@value #GATHER_MS} ms in one call. */
final class LogFlusher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogFlusher.class);
    private static final int GATHER_MS = 50;

    private final BlockingQueue<LogLines> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    LogFlusher(String worker) {
        this.thread = Thread.ofVirtual().name("logs-" + worker).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void add(LogLines lines) {
        waiting.add(lines);
    }

    /** Those whose tasks have ended are sent already. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        try {
            while (!closed) {
                Set<LogLines> some = new LinkedHashSet<>(List.of(waiting.take()));
                Thread.sleep(Duration.ofMillis(GATHER_MS));
                List<LogLines> more = new ArrayList<>();
                waiting.drainTo(more);
                some.addAll(more);
                some.forEach(LogFlusher::flush);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void flush(LogLines lines) {
        try {
            lines.flush();
        } catch (RuntimeException mistaken) {
            log.warn("lines of a log are lost", mistaken);
        }
    }
}
