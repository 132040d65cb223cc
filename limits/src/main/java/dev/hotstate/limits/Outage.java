package dev.hotstate.limits;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Decides while Redis does not answer, by what each rule says: one that is closed denies the call, else those that limit
 * locally decide, and those that are open say nothing against it. A denial spends nothing here either.
 */
final class Outage {
    /** Nobody knows when Redis is back; it is looked for twice a second. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final LocalLimiter local;

    Outage(Ticker ticker) {
        this.local = new LocalLimiter(ticker);
    }

    Decision decide(List<Target> targets, long cost) {
        boolean closed = targets.stream()
                .anyMatch(target -> is(target, OnError.CLOSED) && !target.rule().shadow());
        List<Target> limited =
                targets.stream().filter(target -> is(target, OnError.LOCAL)).toList();
        Iterator<Standing> standings = local.spend(limited, cost, !closed).iterator();
        List<Verdict> verdicts = new ArrayList<>(targets.size());
        boolean allowed = true;
        for (Target target : targets) {
            Verdict verdict = switch (target.rule().onError()) {
                case OPEN -> open(target);
                case CLOSED -> closed(target);
                case LOCAL -> standings.next().verdict(target, DecidedBy.LOCAL);
            };
            allowed &= verdict.allowed();
            verdicts.add(verdict);
        }
        return allowed ? new Decision.Allowed(verdicts) : new Decision.Denied(verdicts);
    }

    void forget(CounterId counter) {
        local.forget(counter);
    }

    private static Verdict open(Target target) {
        Rule rule = target.rule();
        return new Verdict(
                rule, target.subject(), true, rule.capacity(), Duration.ZERO, Duration.ZERO, DecidedBy.OPEN, false);
    }

    private static Verdict closed(Target target) {
        Rule rule = target.rule();
        boolean shadow = rule.shadow();
        Duration retry = shadow ? Duration.ZERO : ASK_AGAIN;
        return new Verdict(rule, target.subject(), shadow, 0, Duration.ZERO, retry, DecidedBy.CLOSED, shadow);
    }

    private static boolean is(Target target, OnError choice) {
        return target.rule().onError() == choice;
    }
}
