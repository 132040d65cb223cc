package dev.hotstate.server.cli;

import dev.hotstate.audit.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far an audit is, as one line that is written over; and its end when the program is asked to end, so that what was
 * seen is left for {@code --resume}.
 */
final class AuditProgress implements Progress, AutoCloseable {
    private static final int BAR = 24;
    private static final String ERASE = "\r\u001b[K";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final @Nullable PrintWriter terminal;
    private final Thread hook;
    private final CountDownLatch over = new CountDownLatch(1);
    private boolean shown;
    private volatile boolean stopped;

    private AuditProgress(@Nullable PrintWriter terminal) {
        this.terminal = terminal;
        this.hook = Thread.ofPlatform().name("audit-stop").unstarted(this::stop);
    }

    /** @param terminal null where nobody watches */
    static AuditProgress on(@Nullable PrintWriter terminal) {
        var progress = new AuditProgress(terminal);
        Runtime.getRuntime().addShutdownHook(progress.hook);
        return progress;
    }

    @Override
    public boolean at(Step step) {
        if (terminal != null) {
            terminal.print(ERASE + line(step));
            terminal.flush();
            shown = true;
        }
        return !stopped;
    }

    /** While nothing is counted yet, the word alone. */
    static String line(Step step) {
        if (step.total() == 0 && step.done() == 0) {
            return step.phase() + " …";
        }
        double share = step.total() > 0 ? Math.min(1, (double) step.done() / step.total()) : 0;
        int full = (int) Math.round(share * BAR);
        var left = step.left();
        return String.format(
                Locale.ROOT,
                "%-8s %s%s %,d%s keys, %,.0f a second%s",
                step.phase(),
                "█".repeat(full),
                "░".repeat(BAR - full),
                step.done(),
                step.total() > 0 ? String.format(Locale.ROOT, " of %,d", step.total()) : "",
                step.perSecond(),
                left == null ? "" : ", " + Math.max(1, left.toSeconds()) + " s left");
    }

    /** The program ends once it has told what it has; its own thread never does, since it waits for this one to exit. */
    private void stop() {
        stopped = true;
        try {
            over.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** Before anything else is printed. */
    void erase() {
        if (terminal != null && shown) {
            terminal.print(ERASE);
            terminal.flush();
            shown = false;
        }
    }

    @Override
    public void close() {
        erase();
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The program ends already, which is why the audit did.
        }
    }
}
