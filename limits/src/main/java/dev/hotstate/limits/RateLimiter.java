package dev.hotstate.limits;

import dev.hotstate.core.Redis;
import dev.hotstate.limits.RedisLimits.Acquired;
import dev.hotstate.limits.RedisLimits.Refund;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Holds rules against callers, for a whole fleet, in one round trip a call.
 *
 * <pre>{@code
 * var limiter = new RateLimiter(redis, RuleSource.of(Rule.fixedWindow("login", 5, Duration.ofMinutes(1))), meters);
 * if (!limiter.tryAcquire("login", "user:123").isAllowed()) { … }
 * }</pre>
 */
public final class RateLimiter implements AutoCloseable {
    private final RuleBook rules;
    private final RedisLimits counters;
    private final BiConsumer<Call, Decision> onDecision;

    public RateLimiter(Redis redis, RuleSource rules, MeterRegistry meters) {
        this(redis, rules, meters, (call, decision) -> {});
    }

    /** @param tally counts what is decided; whoever made it closes it */
    public RateLimiter(Redis redis, RuleSource rules, MeterRegistry meters, Tally tally) {
        this(redis, rules, meters, tally::note);
    }

    private RateLimiter(Redis redis, RuleSource rules, MeterRegistry meters, BiConsumer<Call, Decision> onDecision) {
        this.onDecision = onDecision;
        this.rules = new RuleBook(rules);
        this.counters = new RedisLimits(redis);
    }

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
        Decision decision = decide(call);
        onDecision.accept(call, decision);
        return decision;
    }

    private Decision decide(Call call) {
        List<Target> targets = rules.targets(call);
        Acquired acquired = counters.acquire(targets, call.cost(), target -> call.cost());
        return decision(targets, acquired);
    }

    /**
     * Waits until the call is let through.
     *
     * @throws LimitExceededException at once when that cannot be before the deadline
     */
    public Decision.Allowed acquire(Call call, Duration atMost) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            switch (tryAcquire(call)) {
                case Decision.Allowed allowed -> {
                    return allowed;
                }
                case Decision.Denied denied -> {
                    Duration left = atMost.minusNanos(System.nanoTime() - start);
                    if (denied.retryAfter().compareTo(left) > 0) {
                        throw new LimitExceededException(denied);
                    }
                    Thread.sleep(denied.retryAfter());
                }
            }
        }
    }

    /** Gives back what an earlier call spent and its caller did not use. */
    public void refund(Call call) {
        counters.refund(rules.targets(call).stream()
                .map(target -> new Refund(target, call.cost(), ""))
                .toList());
    }

    /** How a subject stands, without spending. */
    public Verdict peek(String tag, Check check) {
        Target target = rules.target(tag, check);
        return counters.peek(target).verdict(target, DecidedBy.REDIS);
    }

    /** Forgets what a subject spent. */
    public void reset(String tag, Check check) {
        counters.reset(rules.target(tag, check));
    }

    /** Forgets what this process remembers of a subject: another one has reset it. */
    public void forget(String tag, Check check) {
        rules.target(tag, check);
    }

    @Override
    public void close() {}

    private static Decision decision(List<Target> targets, Acquired acquired) {
        List<Verdict> verdicts = new ArrayList<>(targets.size());
        for (int i = 0; i < targets.size(); i++) {
            verdicts.add(acquired.standings().get(i).verdict(targets.get(i), DecidedBy.REDIS));
        }
        return acquired.allowed() ? new Decision.Allowed(verdicts) : new Decision.Denied(verdicts);
    }
}
