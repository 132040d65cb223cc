package dev.hotstate.server.monitors;

import dev.hotstate.core.HotstateException;
import dev.hotstate.monitors.alert.Backlog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many alerts wait. PostgreSQL is asked at most every two seconds, and behind: whoever wants to know how monitors are
 * does not wait for it. What is older than half a minute is not told.
 */
final class OutboxGauge {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxGauge.class);
    private static final Duration FRESH = Duration.ofSeconds(2);
    private static final Duration TELLING = Duration.ofSeconds(30);

    private final Supplier<Backlog> asked;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile @Nullable Seen seen;

    private record Seen(Backlog backlog, long atNanos) {
        boolean isWithin(Duration age) {
            return System.nanoTime() - atNanos <= age.toNanos();
        }
    }

    /** @param oldestMs how long the oldest of the waiting has waited */
    record Shown(long waiting, long held, long dead, long oldestMs) {}

    OutboxGauge(Supplier<Backlog> asked) {
        this.asked = asked;
    }

    /** Null when nothing is known, because PostgreSQL does not answer, or was asked just now for the first time. */
    @Nullable
    Shown look() {
        var last = seen;
        if (last == null || !last.isWithin(FRESH)) {
            askBehind();
        }
        return last == null || !last.isWithin(TELLING) ? null : shown(last.backlog);
    }

    private static Shown shown(Backlog backlog) {
        return new Shown(
                backlog.waiting(),
                backlog.held(),
                backlog.dead(),
                backlog.oldest().toMillis());
    }

    private void askBehind() {
        if (asking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("monitors-outbox").start(() -> {
                try {
                    seen = new Seen(asked.get(), System.nanoTime());
                } catch (HotstateException away) {
                    LOG.debug("The outbox cannot be counted: {}", away.getMessage());
                } finally {
                    asking.set(false);
                }
            });
        }
    }
}
