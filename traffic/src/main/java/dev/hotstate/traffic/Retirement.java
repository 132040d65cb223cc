package dev.hotstate.traffic;

import java.time.Duration;
import java.util.List;

/**
 * Gives the places of endpoints back that nobody asked for in longer than any window looks back, in this process and in
 * the application, and lets those that had no room ask again. Looks once a minute; one thread at a time.
 */
final class Retirement {
    /** A day, the hour that is not over yet, and one for clocks that differ. */
    static final Duration UNSEEN = Duration.ofHours(26);

    private static final long EVERY_MS = 60_000;

    /** At once, so that Redis is held for about a millisecond; the others wait for the next minute. */
    private static final int MOST = 50;

    private final RedisTraffic redis;
    private final RedisFigures figures;
    private final Endpoints endpoints;
    private final int cap;
    private long nextMs;

    Retirement(RedisTraffic redis, RedisFigures figures, Endpoints endpoints, int cap) {
        this.redis = redis;
        this.figures = figures;
        this.endpoints = endpoints;
        this.cap = cap;
    }

    void runIfDue(long nowMs) {
        if (nowMs >= nextMs) {
            nextMs = nowMs + EVERY_MS;
            run(nowMs - UNSEEN.toMillis());
        }
    }

    private void run(long sinceMs) {
        endpoints.forgetUnseenSince(sinceMs);
        List<String> unseen = figures.unseenSince(sinceMs, MOST);
        if (!unseen.isEmpty()) {
            redis.retire(unseen, UNSEEN);
        }
        if (endpoints.hasRefused() && figures.endpointCount() < cap) {
            endpoints.forgetRefused();
        }
    }
}
