package dev.hotstate.server.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what was started, newest first, when the process is told to end; a start that was cut short is undone too. */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private boolean expected;

    static Shutdown of(AutoCloseable first) {
        var shutdown = new Shutdown();
        shutdown.endLater(first);
        Runtime.getRuntime().addShutdownHook(new Thread(shutdown::run, "shutdown"));
        return shutdown;
    }

    synchronized void endLater(AutoCloseable part) {
        parts.push(part);
    }

    /** From now on a signal is the way to end, and the exit code says success. */
    synchronized void isExpected() {
        expected = true;
    }

    private synchronized void run() {
        boolean clean = expected;
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception broken) {
                clean = false;
                LOG.warn("A part did not end cleanly: {}", broken.getMessage());
            }
        }
        if (clean) {
            // The exit code of a signal is otherwise 128 and more, which supervisors take for a failure.
            Runtime.getRuntime().halt(0);
        }
    }
}
