package dev.hotstate.limits;

import dev.hotstate.core.Redis;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * Holds rules against callers, for a whole fleet, in one round trip a call.
 *
 * <pre>{@code
 * var limiter = new RateLimiter(redis, RuleSource.of(Rule.fixedWindow("login", 5, Duration.ofMinutes(1))), meters);
 * if (!limiter.tryAcquire("login", "user:123").isAllowed()) { … }
 * }</pre>
 */
public final class RateLimiter implements AutoCloseable {

    public RateLimiter(Redis redis, RuleSource rules, MeterRegistry meters) {}

    /** Asks with one check of cost 1. */
    public Decision tryAcquire(String rule, String subject) {
        return tryAcquire(Call.of(rule, subject));
    }

    /**
     * Spends all checks of the call, or nothing.
     *
     * @throws UnknownRuleException when a check names no rule
     * @throws CostTooHighException when a rule could never allow the cost
     */
    public Decision tryAcquire(Call call) {
        throw new UnsupportedOperationException();
    }

    /**
     * Waits until the call is let through.
     *
     * @throws LimitExceededException at once when that cannot be before the deadline
     */
    public Decision.Allowed acquire(Call call, Duration atMost) throws InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Gives back what an earlier call spent and its caller did not use. */
    public void refund(Call call) {
        throw new UnsupportedOperationException();
    }

    /** How a subject stands, without spending. */
    public Verdict peek(String tag, Check check) {
        throw new UnsupportedOperationException();
    }

    /** Forgets what a subject spent. */
    public void reset(String tag, Check check) {
        throw new UnsupportedOperationException();
    }

    /** Forgets what this process remembers of a subject: another one has reset it. */
    public void forget(String tag, Check check) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
