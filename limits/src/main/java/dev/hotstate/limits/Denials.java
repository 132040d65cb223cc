package dev.hotstate.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * What Redis denied and until when, so that a caller who does not wait costs Redis nothing. It answers for the cost that
 * was denied, since another one has another time. The time counts from before the call was sent, so it never outlasts
 * Redis's own. Others can only spend meanwhile, which would make it later; what makes it earlier is a refund or a reset.
 * Those made here are known at once, and those made elsewhere within {@link #ASK_AGAIN}: after so long Redis is asked once
 * more, which costs it a read a second for a call that somebody keeps making.
 *
 * <p>At most {@value #MOST} are remembered, one for each check of their calls.
 */
final class Denials {
    static final int MOST = 65_536;

    static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private static final int TAGS = 256;

    private final Ticker ticker;
    private final Cache<CounterId, Denial> denials;
    /** How often something was forgotten, by tag: all checks of a call have one, and those of others hardly meet it. */
    private final AtomicLongArray forgotten = new AtomicLongArray(TAGS);

    Denials(Ticker ticker) {
        this.ticker = ticker;
        this.denials = Caffeine.newBuilder()
                .maximumWeight(MOST)
                .weigher((CounterId counter, Denial denial) ->
                        denial.company().targets().size())
                .ticker(ticker)
                .expireAfter(Expiry.creating(
                        (CounterId counter, Denial denial) -> Duration.ofNanos(denial.until() - ticker.read())))
                .build();
    }

    /** A cost that was not there, for sure {@code until} then, and the call it was asked in. Times are the ticker's. */
    private record Denial(Terms terms, long cost, long until, long sentAt, Standing standing, Company company) {

        boolean holds(Target target, long asked, long now) {
            return terms == target.terms() && asked == cost && until - now > 0;
        }
    }

    /** All checks of a denied call, and how they stood then: whoever asks for the same gets the same answer. */
    private record Company(List<Target> targets, List<Standing> standings) {

        List<Verdict> verdicts(long micros) {
            List<Verdict> verdicts = new ArrayList<>(targets.size());
            for (int i = 0; i < targets.size(); i++) {
                Standing standing = standings.get(i);
                verdicts.add(
                        standing.isOver(micros)
                                ? unspent(targets.get(i))
                                : standing.after(micros).verdict(targets.get(i), DecidedBy.LOCAL));
            }
            return verdicts;
        }
    }

    /** To be taken before a call is sent: what is forgotten while it is under way is not remembered afterwards. */
    record Moment(long now, long forgotten) {}

    Moment moment(List<Target> targets) {
        return new Moment(ticker.read(), timesForgotten(targets));
    }

    /**
     * The denial of a call, if all of it is known: each of its checks is denied still, or the same call was denied, in which
     * the others stood as they did then. Null when Redis must be asked: how a check stands that nobody has asked about
     * decides too when to come back.
     */
    Decision.@Nullable Denied recall(List<Target> targets, long cost) {
        long now = ticker.read();
        List<Verdict> denied = null;
        for (Target target : targets) {
            Denial denial = denials.getIfPresent(target.counter());
            if (denial != null && denial.holds(target, cost, now)) {
                long micros = (now - denial.sentAt()) / 1000;
                if (denial.company().targets().equals(targets)) {
                    return new Decision.Denied(denial.company().verdicts(micros));
                }
                denied = denied == null ? new ArrayList<>(targets.size()) : denied;
                denied.add(denial.standing().after(micros).verdict(target, DecidedBy.LOCAL));
            }
        }
        return denied != null && denied.size() == targets.size() ? new Decision.Denied(denied) : null;
    }

    void note(List<Target> targets, List<Standing> standings, long cost, Moment sent) {
        Company company = new Company(targets, standings);
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            Standing standing = standings.get(i);
            if (!standing.fits() && !target.rule().shadow() && timesForgotten(targets) == sent.forgotten()) {
                long until = sent.now() + sureNanos(target.rule(), standing);
                denials.put(target.counter(), new Denial(target.terms(), cost, until, sent.now(), standing, company));
                if (timesForgotten(targets) != sent.forgotten()) {
                    denials.invalidate(target.counter());
                }
            }
        }
    }

    /** Leased units that others do not use come back within a lease, so that long is the most a denial is sure. */
    private static long sureNanos(Rule rule, Standing standing) {
        long sure = Math.min(standing.retryMicros() * 1000, ASK_AGAIN.toNanos());
        return rule.lease()
                .map(lease -> Math.min(sure, lease.length().toNanos()))
                .orElse(sure);
    }

    void forget(CounterId counter) {
        forgotten.incrementAndGet(place(counter));
        denials.invalidate(counter);
    }

    private long timesForgotten(List<Target> targets) {
        return forgotten.get(place(targets.getFirst().counter()));
    }

    private static int place(CounterId counter) {
        int hash = counter.tag().hashCode();
        return (hash ^ hash >>> 16) & TAGS - 1;
    }

    private static Verdict unspent(Target target) {
        return new Verdict(
                target.rule(),
                target.subject(),
                true,
                target.rule().capacity(),
                Duration.ZERO,
                Duration.ZERO,
                DecidedBy.LOCAL,
                false);
    }
}
