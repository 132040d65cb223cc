package dev.hotstate.server.audit;

import dev.hotstate.audit.Progress;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.ReportJson;
import dev.hotstate.server.audit.PostgresAudits.Summary;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes audits, one at a time over all instances: who asks while one is under way here gets that one, and who asks while
 * another instance is at it is told so. Each has a thread of its own, since a large keyspace takes minutes.
 */
final class Audits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Audits.class);
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration EXTEND = Duration.ofSeconds(15);

    private final String holder;
    private final PostgresAudits store;
    private final Auditing auditing;
    private final Consumer<Summary> told;
    private final LongSupplier nanoTime;
    private @Nullable CompletableFuture<Report> underWay;
    private @Nullable Thread worker;
    private volatile boolean closed;

    /** Looks at Redis. */
    @FunctionalInterface
    interface Auditing {
        /** @param previous the last report, for what has changed since; null where there is none */
        Report audit(@Nullable Report previous, Progress progress) throws InterruptedException;
    }

    /**
     * @param told who hears of each that was made
     * @param nanoTime by which the lease is extended
     */
    Audits(String instance, PostgresAudits store, Auditing auditing, Consumer<Summary> told, LongSupplier nanoTime) {
        this.holder = instance;
        this.store = store;
        this.auditing = auditing;
        this.told = told;
        this.nanoTime = nanoTime;
    }

    /** Begins one, or joins the one under way; empty while another instance is at it. */
    synchronized Optional<CompletableFuture<Report>> begin() {
        if (underWay != null && !underWay.isDone()) {
            return Optional.of(underWay);
        }
        if (closed || !store.lease(holder, LEASE)) {
            return Optional.empty();
        }
        var next = new CompletableFuture<Report>();
        underWay = next;
        worker = Thread.ofVirtual().name("audit").start(() -> make(next));
        return Optional.of(next);
    }

    /** The lease is let go of before anybody can know of the end: who then asks for the next one can have it. */
    private void make(CompletableFuture<Report> next) {
        try {
            var extending = new Extending();
            var report = auditing.audit(previous(), extending);
            if (closed || extending.lost) {
                release();
                next.cancel(false);
                return;
            }
            release();
            told.accept(store.save(report));
            next.complete(report);
        } catch (InterruptedException stopped) {
            release();
            next.cancel(false);
        } catch (RuntimeException | Error failed) {
            LOG.warn("The audit of Redis was not made: {}", failed.getMessage());
            LOG.debug("The audit of Redis was not made", failed);
            release();
            next.completeExceptionally(failed);
        }
    }

    /** One that another version has written differently is none: its successor is complete without it. */
    private @Nullable Report previous() {
        try {
            return store.latest().map(ReportJson::read).orElse(null);
        } catch (IllegalArgumentException unreadable) {
            LOG.debug("the last report is not understood: {}", unreadable.getMessage());
            return null;
        }
    }

    /** Keeps the lease while the audit goes on, and ends it early where the server does. */
    private final class Extending implements Progress {
        private long heldSince = nanoTime.getAsLong();
        private long triedAt = heldSince;
        private boolean lost;

        @Override
        public boolean at(Step step) {
            if (nanoTime.getAsLong() - triedAt > EXTEND.toNanos()) {
                extend();
            }
            return !closed && !lost;
        }

        /** While PostgreSQL is away the lease that there is holds; after it another instance may be at it. */
        private void extend() {
            triedAt = nanoTime.getAsLong();
            try {
                lost |= !store.lease(holder, LEASE);
                heldSince = triedAt;
            } catch (RuntimeException away) {
                lost |= triedAt - heldSince > LEASE.toNanos();
                LOG.debug("the lease of the audit is not extended: {}", away.getMessage());
            }
        }
    }

    /** Where PostgreSQL is away the lease ends by itself. */
    private void release() {
        try {
            store.release(holder);
        } catch (RuntimeException away) {
            LOG.debug("the lease of the audit stays until it ends: {}", away.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread last;
        synchronized (this) {
            last = worker;
        }
        if (last != null) {
            try {
                if (!last.join(Duration.ofSeconds(1))) {
                    last.interrupt();
                    last.join(Duration.ofSeconds(1));
                }
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
