package dev.hotstate.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What Redis denied and until when, so that a caller who does not wait costs Redis nothing. The time counts from before
 * the call was sent, so it never outlasts Redis's own. Others can only spend meanwhile, which would make it later; what
 * makes it earlier is a refund or a reset: those made here are known at once, those made elsewhere when {@link #forget}
 * is called, or else when the time is over.
 *
 * <p>At most {@value #MOST} are remembered.
 */
final class Denials {
    static final int MOST = 65_536;

    private final Ticker ticker;
    private final Cache<CounterId, Denial> denials;
    private final AtomicLong forgotten = new AtomicLong();

    Denials(Ticker ticker) {
        this.ticker = ticker;
        this.denials = Caffeine.newBuilder()
                .maximumSize(MOST)
                .ticker(ticker)
                .expireAfter(Expiry.creating(
                        (CounterId counter, Denial denial) -> Duration.ofNanos(denial.until() - ticker.read())))
                .build();
    }

    /** A cost that was not there, nor was any higher one; sure {@code until} then. Times are the ticker's. */
    private record Denial(Terms terms, long cost, long until, long retryAt, long remaining, long resetAt) {

        boolean holds(Target target, long asked, long now) {
            return terms == target.terms() && asked >= cost && until - now > 0;
        }
    }

    /** To be taken before a call is sent: what is forgotten while it is under way is not remembered afterwards. */
    record Moment(long now, long forgotten) {}

    Moment moment() {
        return new Moment(ticker.read(), forgotten.get());
    }

    /**
     * The denial of a call of which a check is known to be denied still; null when Redis must be asked. The checks of
     * which nothing is known read as if nothing had been spent.
     */
    Decision.@Nullable Denied recall(List<Target> targets, long cost) {
        long now = ticker.read();
        List<Verdict> verdicts = null;
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            Denial denial = denials.getIfPresent(target.counter());
            if (denial != null && denial.holds(target, cost, now)) {
                verdicts = verdicts == null ? unasked(targets) : verdicts;
                verdicts.set(i, verdict(target, denial, now));
            }
        }
        return verdicts == null ? null : new Decision.Denied(verdicts);
    }

    void note(List<Target> targets, List<Standing> standings, long cost, Moment sent) {
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            Standing standing = standings.get(i);
            if (!standing.fits() && !target.rule().shadow() && forgotten.get() == sent.forgotten()) {
                denials.put(target.counter(), denial(target, standing, cost, sent.now()));
            }
        }
    }

    /** Leased units that others do not use come back within a lease, so that long is the most a denial is sure. */
    private static Denial denial(Target target, Standing standing, long cost, long now) {
        long retry = standing.retryMicros() * 1000;
        long sure = target.rule()
                .lease()
                .map(lease -> Math.min(retry, lease.length().toNanos()))
                .orElse(retry);
        long reset = standing.resetMicros() * 1000;
        return new Denial(target.terms(), cost, now + sure, now + retry, standing.remaining(), now + reset);
    }

    void forget(CounterId counter) {
        forgotten.incrementAndGet();
        denials.invalidate(counter);
    }

    private static Verdict verdict(Target target, Denial denial, long now) {
        return new Verdict(
                target.rule(),
                target.subject(),
                false,
                denial.remaining(),
                Duration.ofNanos(Math.max(0, denial.resetAt() - now)),
                Duration.ofNanos(denial.retryAt() - now),
                DecidedBy.LOCAL,
                false);
    }

    private static List<Verdict> unasked(List<Target> targets) {
        List<Verdict> verdicts = new ArrayList<>(targets.size());
        for (Target target : targets) {
            Rule rule = target.rule();
            verdicts.add(new Verdict(
                    rule,
                    target.subject(),
                    true,
                    rule.capacity(),
                    Duration.ZERO,
                    Duration.ZERO,
                    DecidedBy.LOCAL,
                    false));
        }
        return verdicts;
    }
}
