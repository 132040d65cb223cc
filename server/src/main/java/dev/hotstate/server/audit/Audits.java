package dev.hotstate.server.audit;

import dev.hotstate.audit.Progress;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.ReportJson;
import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.server.http.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes audits, one at a time over all instances: who asks while one is under way here gets that one, and who asks while
 * another instance is at it is told so. Each has a thread of its own, since a large keyspace takes minutes.
 */
final class Audits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Audits.class);
    private static final String TOPIC = "audit";
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration EXTEND = Duration.ofSeconds(15);

    private final String holder;
    private final PostgresAudits store;
    private final Events events;
    private final Auditing auditing;
    private @Nullable CompletableFuture<Report> underWay;
    private @Nullable Thread worker;
    private volatile boolean closed;

    /** Looks at Redis. */
    @FunctionalInterface
    interface Auditing {
        /** @param previous the last report, for what has changed since; null where there is none */
        Report audit(@Nullable Report previous, Progress progress);
    }

    Audits(String instance, PostgresAudits store, Events events, Auditing auditing) {
        this.holder = instance;
        this.store = store;
        this.events = events;
        this.auditing = auditing;
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

    private void make(CompletableFuture<Report> next) {
        try {
            var previous = store.latest().map(ReportJson::read).orElse(null);
            var report = auditing.audit(previous, new Extending());
            if (closed) {
                next.cancel(false);
                return;
            }
            tell(store.save(report));
            next.complete(report);
        } catch (RuntimeException | Error failed) {
            LOG.warn("The audit of Redis was not made: {}", failed.getMessage());
            LOG.debug("The audit of Redis was not made", failed);
            next.completeExceptionally(failed);
        } finally {
            release();
        }
    }

    /** Keeps the lease while the audit goes on, and ends it early where the server does. */
    private final class Extending implements Progress {
        private long extendedAt = System.nanoTime();

        @Override
        public boolean at(Step step) {
            if (System.nanoTime() - extendedAt > EXTEND.toNanos()) {
                extendedAt = System.nanoTime();
                store.lease(holder, LEASE);
            }
            return !closed;
        }
    }

    private void tell(PostgresAudits.Summary summary) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", summary.id());
        data.put("at", summary.at());
        data.put("keys", summary.keys());
        data.put("errors", summary.errors());
        data.put("warnings", summary.warnings());
        data.put("infos", summary.infos());
        try {
            events.publish(TOPIC, "finished", Json.text(data));
        } catch (HotstateException away) {
            LOG.debug("nobody is told of an audit: {}", away.getMessage());
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
