package dev.hotstate.server.http.ops;

import dev.hotstate.server.http.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells this instance's health to those who listen to {@code system}: at once, within half a second of a change, and
 * every five seconds. It does not go through Redis, whose loss it tells of. Nobody listening, nothing is looked at.
 */
final class HealthEvents {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final long REPEAT = Duration.ofSeconds(5).toNanos();

    private final Health health;
    private final Set<EventStream> listeners = ConcurrentHashMap.newKeySet();
    private @Nullable Thread teller;

    HealthEvents(Health health) {
        this.health = health;
    }

    void join(EventStream stream) {
        stream.tell(event(health.look()));
        synchronized (this) {
            listeners.add(stream);
            if (teller == null) {
                teller = Thread.ofVirtual().name("health-events").start(this::tell);
            }
        }
    }

    void leave(EventStream stream) {
        listeners.remove(stream);
    }

    private void tell() {
        try {
            tellUntilNobodyListens();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            // However it ended, the next one who joins begins it again.
            synchronized (this) {
                if (teller == Thread.currentThread()) {
                    teller = null;
                }
            }
        }
    }

    private void tellUntilNobodyListens() throws InterruptedException {
        var last = health.look();
        long toldAt = System.nanoTime();
        while (goOn()) {
            Thread.sleep(LOOK);
            var now = health.look();
            if (!now.essence().equals(last.essence()) || System.nanoTime() - toldAt >= REPEAT) {
                toldAt = System.nanoTime();
                var event = event(now);
                listeners.forEach(stream -> stream.tell(event));
            }
            last = now;
        }
    }

    private synchronized boolean goOn() {
        if (listeners.isEmpty()) {
            teller = null;
            return false;
        }
        return true;
    }

    private static ServerEvent event(HealthDocument document) {
        return new ServerEvent(Optional.empty(), "system.health", Json.text(document));
    }
}
