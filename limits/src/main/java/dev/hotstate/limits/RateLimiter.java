package dev.hotstate.limits;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisRefusedException;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.limits.Answer.Acquired;
import dev.hotstate.limits.Pockets.Filling;
import dev.hotstate.limits.RedisLimits.Refund;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds rules against callers, for a whole fleet, in one round trip a call.
 *
 * <pre>{@code
 * var limiter = new RateLimiter(redis, RuleSource.of(Rule.fixedWindow("login", 5, Duration.ofMinutes(1))), meters);
 * if (!limiter.tryAcquire("login", "user:123").isAllowed()) { … }
 * }</pre>
 *
 * What Redis denied is remembered here until the time it named, and asked for once a second at most, so that a caller who
 * does not wait costs Redis next to nothing;
 * calls that meet on their way there travel together.
 * While Redis does not answer, each rule's {@link OnError} decides.
 */
public final class RateLimiter implements AutoCloseable {
    private final RuleBook rules;
    private final RedisLimits counters;
    private final Denials denials;
    private final Convoys convoys;
    private final Pockets pockets;
    private final Outage outage;
    private final BiConsumer<Call, Decision> onDecision;

    public RateLimiter(Redis redis, RuleSource rules, MeterRegistry meters) {
        this(redis, rules, meters, (call, decision) -> {});
    }

    /** @param tally counts what is decided; whoever made it closes it */
    public RateLimiter(Redis redis, RuleSource rules, MeterRegistry meters, Tally tally) {
        this(redis, rules, meters, tally::note);
    }

    private RateLimiter(Redis redis, RuleSource rules, MeterRegistry meters, BiConsumer<Call, Decision> onDecision) {
        Ticker ticker = ticker(redis);
        this.onDecision = onDecision;
        this.rules = new RuleBook(rules, meters);
        this.counters = new RedisLimits(redis);
        this.denials = new Denials(ticker);
        this.convoys = new Convoys(counters);
        this.pockets = new Pockets(counters, ticker);
        this.outage = new Outage(ticker);
    }

    /** Asks with one check of cost 1. */
    public Decision tryAcquire(String rule, String subject) {
        return tryAcquire(Call.of(rule, subject));
    }

    /**
     * Spends all checks of the call, or nothing. When one is known to be denied still, Redis is not asked: the others read
     * as they did when this call was denied, or as if nothing had been spent where it is another call.
     *
     * @throws UnknownRuleException when a check names no rule
     * @throws CostTooHighException when a rule that is not in shadow could never allow the cost
     */
    public Decision tryAcquire(Call call) {
        List<Target> targets = rules.targets(call);
        Decision decision = decide(targets, call.cost());
        List<Verdict> verdicts = decision.verdicts();
        for (int i = 0; i < verdicts.size(); i++) {
            targets.get(i).terms().outcomes().count(verdicts.get(i), decision.isAllowed());
        }
        onDecision.accept(call, decision);
        return decision;
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

    /**
     * Gives back what a call spent and its caller did not use, within the window that it was spent in; later than that,
     * units of other calls would go. The oldest units of a counter go first, so that its bound holds; those of a token
     * bucket count as given back now. A counter that has less gives what it has. Other processes that remember a denial
     * find out within a second.
     */
    public void refund(Call call) {
        // One in shadow was not spent if it never could be.
        List<Target> targets = rules.targets(call).stream()
                .filter(target -> target.couldFit(call.cost()))
                .toList();
        if (!targets.isEmpty()) {
            counters.refund(targets.stream()
                    .map(target -> new Refund(target, call.cost(), ""))
                    .toList());
        }
        targets.forEach(target -> denials.forget(target.counter()));
    }

    /** How a subject stands in Redis, without spending: slices that processes hold are spent there. */
    public Verdict peek(String tag, Check check) {
        Target target = rules.target(tag, check);
        return counters.peek(target).verdict(target, DecidedBy.REDIS);
    }

    /**
     * Forgets what a subject spent. Other processes may remember a denial for a second, or hold a slice for its lease, unless
     * they {@link #forget} before.
     */
    public void reset(String tag, Check check) {
        counters.reset(rules.target(tag, check));
        forget(tag, check);
    }

    /** Forgets what this process remembers of a subject: another one has reset it. */
    public void forget(String tag, Check check) {
        CounterId counter = new CounterId(tag, check.rule(), check.subject());
        denials.forget(counter);
        pockets.forget(counter);
        outage.forget(counter);
    }

    /** Gives back what it holds in advance. */
    @Override
    public void close() {
        pockets.close();
    }

    private Decision decide(List<Target> targets, long cost) {
        Decision here = decideHere(targets, cost);
        if (here != null) {
            return here;
        }
        try {
            return ask(targets, cost);
        } catch (RedisUnavailableException | RedisRefusedException | UnansweredException away) {
            return outage.decide(targets, cost);
        }
    }

    private @Nullable Decision decideHere(List<Target> targets, long cost) {
        Decision served = pockets.serve(targets, cost);
        return served != null ? served : denials.recall(targets, cost);
    }

    private Decision ask(List<Target> targets, long cost) {
        Denials.Moment sent = denials.moment(targets);
        Filling filling = pockets.begin(targets, cost);
        try {
            Acquired acquired = convoys.ask(targets, cost, filling);
            if (acquired.allowed()) {
                filling.fill(targets, acquired.standings());
            } else {
                denials.note(targets, acquired.standings(), cost, sent);
            }
            return decision(targets, cost, acquired);
        } finally {
            filling.end();
        }
    }

    private static Decision decision(List<Target> targets, long cost, Acquired acquired) {
        List<Verdict> verdicts = new ArrayList<>(targets.size());
        for (int i = 0; i < targets.size(); i++) {
            Standing standing = acquired.standings().get(i).withAdvance(cost);
            verdicts.add(standing.verdict(targets.get(i), DecidedBy.REDIS));
        }
        return acquired.allowed() ? new Decision.Allowed(verdicts) : new Decision.Denied(verdicts);
    }

    /** Time goes here as it goes in the scripts: a test's clock moves both. */
    private static Ticker ticker(Redis redis) {
        return redis.scriptTime().isEmpty() ? Ticker.systemTicker() : () -> Long.parseLong(redis.scriptTime()) * 1000;
    }
}
