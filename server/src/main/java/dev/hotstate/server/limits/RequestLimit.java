package dev.hotstate.server.limits;

import dev.hotstate.core.ShortName;
import dev.hotstate.limits.Decision;
import dev.hotstate.limits.OnError;
import dev.hotstate.limits.RateLimitHeaders;
import dev.hotstate.limits.RateLimiter;
import dev.hotstate.limits.Rule;
import dev.hotstate.server.http.Admission;
import dev.hotstate.server.http.Caller;
import dev.hotstate.server.http.Problem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The server's own limit: so many requests a second for one caller, over all instances. Each instance takes a tenth of it
 * at a time, so a busy caller costs at most ten round trips a second and a denied one none; without Redis each instance
 * limits by itself.
 */
final class RequestLimit implements Admission, AutoCloseable {
    /** A word of the API, so no rule in PostgreSQL can have it and share its counters. */
    static final String RULE = "requests";

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int LONGEST_SUBJECT = 200;
    private static final int HASH = 22;

    private final RateLimiter limiter;

    RequestLimit(RateLimiter limiter) {
        this.limiter = limiter;
    }

    static Rule rule(int requestsPerSecond) {
        return Rule.tokenBucket(RULE, requestsPerSecond, SECOND, requestsPerSecond)
                .onError(OnError.LOCAL)
                .leasing(Math.max(1, requestsPerSecond / 10), SECOND);
    }

    @Override
    public void admit(@Nullable Caller caller, String address) {
        var decision = limiter.tryAcquire(RULE, subject(caller, address));
        if (decision instanceof Decision.Denied denied) {
            var problem = Problem.tooManyRequests(
                    "This caller sends more requests than the server allows.", RateLimitHeaders.retryAfter(denied));
            RateLimitHeaders.of(decision).forEach(problem::with);
            throw problem;
        }
    }

    RateLimiter limiter() {
        return limiter;
    }

    @Override
    public void close() {
        limiter.close();
    }

    /** The token's name, never the token; for strangers, where they come from. */
    private static String subject(@Nullable Caller caller, String address) {
        var subject = caller == null ? "address:" + address : "token:" + caller.name();
        return ShortName.of(subject, LONGEST_SUBJECT, HASH);
    }
}
