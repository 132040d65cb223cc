package dev.hotstate.server.keyspace;

import dev.hotstate.core.KeyspaceCensus;
import dev.hotstate.core.KeyspaceCensus.Census;
import dev.hotstate.core.Redis;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The last census of the keyspace, taken anew when someone asks and it is older than ten seconds: nobody looking costs
 * nothing, and many looking cost one. While Redis is away the last one stays.
 */
public final class LiveKeyspace {
    private static final long FRESH = Duration.ofSeconds(10).toNanos();
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final KeyspaceCensus census;
    private @Nullable Census last;
    private long lastAt;
    private CompletableFuture<Void> underWay = CompletableFuture.completedFuture(null);

    public LiveKeyspace(Redis redis, InstantSource clock) {
        this.census = new KeyspaceCensus(redis, clock, LONGEST);
    }

    /** What was counted last; empty only where nothing could be counted yet. */
    Optional<Census> latest() throws InterruptedException {
        var counting = countIfOld();
        try {
            counting.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException notYet) {
            // The last one is shown meanwhile.
        }
        synchronized (this) {
            return Optional.ofNullable(last);
        }
    }

    private synchronized CompletableFuture<Void> countIfOld() {
        if (underWay.isDone() && (last == null || System.nanoTime() - lastAt > FRESH)) {
            var next = new CompletableFuture<Void>();
            underWay = next;
            Thread.ofVirtual().name("keyspace-census").start(() -> {
                try {
                    census.take().ifPresent(this::keep);
                } finally {
                    next.complete(null);
                }
            });
        }
        return underWay;
    }

    private synchronized void keep(Census taken) {
        last = taken;
        lastAt = System.nanoTime();
    }
}
