package dev.hotstate.limits;

import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A limiter on an empty Redis whose time is a test's, and whose rules a test changes. */
abstract class LimiterFixture {
    static final Keyspace KEYSPACE = Keyspace.of("it:limits", LimitKeys.SERVICE);
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration MICRO = Duration.ofNanos(1000);

    final SettableClock clock = SettableClock.at(Instant.parse("2026-06-01T12:00:00Z"));
    final RedisTarget target;
    volatile Rules rules = Rules.of();
    Redis redis;
    RateLimiter limiter;

    LimiterFixture(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void beginWithNothingSpent() {
        target.flushAll();
        redis = Redis.connect(RedisOptions.of(target.uri()).withClock(clock), KEYSPACE, TestMeters.REGISTRY);
        limiter = new RateLimiter(redis, () -> rules, TestMeters.REGISTRY);
    }

    @AfterEach
    void disconnect() {
        limiter.close();
        redis.close();
    }

    void hold(Rule... now) {
        rules = Rules.of(now);
    }

    /** So many a minute. */
    static Rule rule(String id, Algorithm algorithm, long limit) {
        return switch (algorithm) {
            case FIXED_WINDOW -> Rule.fixedWindow(id, limit, MINUTE);
            case SLIDING_WINDOW -> Rule.slidingWindow(id, limit, MINUTE);
            case SLIDING_LOG -> Rule.slidingLog(id, limit, MINUTE);
            case TOKEN_BUCKET -> Rule.tokenBucket(id, limit, MINUTE, limit);
        };
    }

    static Call costing(String rule, long cost) {
        return Call.of(rule, "ann").costing(cost);
    }

    static Verdict only(Decision decision) {
        return decision.verdicts().getFirst();
    }

    Verdict peek(String rule) {
        return limiter.peek("ann", new Check(rule, "ann"));
    }
}
