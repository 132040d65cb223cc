package dev.hotstate.server.http.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The health of the whole, from that of its parts. All parts are looked at together, each for at most a second, and the
 * result is kept for half a second: asking often costs nothing, and a part that hangs is told, not waited for. A check
 * that hangs is not begun again before it ends, so a lost server does not pile up threads; what it says in the end is told
 * at the next look, for it knows more than that it was late.
 */
public final class Health {
    private static final long KEPT = Duration.ofMillis(500).toNanos();
    private static final long LONGEST = Duration.ofSeconds(1).toNanos();

    private final List<HealthPart> parts;
    private final InstantSource clock;
    // Not a monitor: on a JDK before 24 a virtual thread that waits in one holds its carrier, so a few callers would
    // keep
    // the very checks they wait for from running.
    private final ReentrantLock looking = new ReentrantLock();
    private final Map<String, CompletableFuture<HealthReport>> underWay = new HashMap<>();
    private final Set<String> late = new HashSet<>();
    private final Map<String, Since> since = new HashMap<>();
    private @Nullable HealthDocument last;
    private long lastAt;

    private record Since(HealthStatus status, Instant at) {}

    public Health(List<HealthPart> parts, InstantSource clock) {
        this.parts = List.copyOf(parts);
        this.clock = clock;
    }

    /** How everything is, at most half a second ago. */
    public HealthDocument look() {
        looking.lock();
        try {
            if (last == null || System.nanoTime() - lastAt > KEPT) {
                last = document(reports());
                lastAt = System.nanoTime();
            }
            return last;
        } finally {
            looking.unlock();
        }
    }

    private List<HealthReport> reports() {
        long deadline = System.nanoTime() + LONGEST;
        for (var part : parts) {
            var before = underWay.get(part.name());
            boolean untold = late.remove(part.name());
            if (before == null || before.isDone() && !untold) {
                underWay.put(part.name(), begin(part));
            }
        }
        var reports = new ArrayList<HealthReport>();
        for (var part : parts) {
            var check = underWay.getOrDefault(part.name(), new CompletableFuture<>());
            reports.add(await(check, deadline));
            if (!check.isDone()) {
                late.add(part.name());
            }
        }
        return reports;
    }

    private static CompletableFuture<HealthReport> begin(HealthPart part) {
        var result = new CompletableFuture<HealthReport>();
        Thread.ofVirtual().name("health-" + part.name()).start(() -> {
            try {
                result.complete(part.check().call());
            } catch (Exception | Error e) {
                // An Error too: a check that never completed would never be begun again.
                result.complete(HealthReport.of(HealthStatus.DOWN, "The check failed: " + e.getMessage()));
            }
        });
        return result;
    }

    private static HealthReport await(CompletableFuture<HealthReport> check, long deadline) {
        try {
            return check.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return HealthReport.of(HealthStatus.DOWN, "It did not answer within a second.");
        } catch (ExecutionException e) {
            return HealthReport.of(HealthStatus.DOWN, "The check failed.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return HealthReport.of(HealthStatus.DOWN, "The look was interrupted.");
        }
    }

    private HealthDocument document(List<HealthReport> reports) {
        var whole = HealthStatus.UP;
        var shown = new ArrayList<Map<String, Object>>();
        for (int i = 0; i < parts.size(); i++) {
            var part = parts.get(i);
            var report = reports.get(i);
            if (report.status() == HealthStatus.DOWN && part.essential()) {
                whole = HealthStatus.DOWN;
            } else if (report.status() != HealthStatus.UP && whole == HealthStatus.UP) {
                whole = HealthStatus.DEGRADED;
            }
            shown.add(shown(part, report));
        }
        return new HealthDocument(whole.text(), shown);
    }

    private Map<String, Object> shown(HealthPart part, HealthReport report) {
        var before = since.get(part.name());
        if (before == null || before.status() != report.status()) {
            before = new Since(report.status(), clock.instant());
            since.put(part.name(), before);
        }
        var shown = new LinkedHashMap<String, Object>();
        shown.put("name", part.name());
        shown.put("status", report.status().text());
        shown.put("detail", report.detail());
        shown.put("since", before.at());
        shown.put("figures", report.figures());
        report.extra().forEach(shown::putIfAbsent);
        return shown;
    }
}
