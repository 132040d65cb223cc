package dev.hotstate.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits within this process, for rules that say so while Redis is away: each as a token bucket of its limit, window and
 * burst, whatever its algorithm. Each of n processes lets through as much as the fleet should, and a bucket is full when
 * its subject is first seen, so an outage costs at most n times the rule's L + burst in any window.
 *
 * <p>At most {@value #SUBJECTS} subjects are told apart; the least asked for are forgotten first, and begin anew.
 */
final class LocalLimiter {
    static final int SUBJECTS = 100_000;

    /** Calls of different tags hardly meet at one of them. */
    private static final int LOCKS = 64;

    private static final long NANOS_A_MICRO = 1000;

    private final Ticker ticker;
    private final ReentrantLock[] locks = new ReentrantLock[LOCKS];
    private final Cache<CounterId, Bucket> buckets =
            Caffeine.newBuilder().maximumSize(SUBJECTS).build();

    LocalLimiter(Ticker ticker) {
        this.ticker = ticker;
        Arrays.setAll(locks, i -> new ReentrantLock());
    }

    /**
     * Spends the cost from all buckets, or from none where one that is not in shadow denies.
     *
     * @param maySpend whether the rest of the call is allowed; if not, the buckets are only looked at
     */
    List<Standing> spend(List<Target> targets, long cost, boolean maySpend) {
        if (targets.isEmpty()) {
            return List.of();
        }
        ReentrantLock lock = lockOf(targets.getFirst().counter().tag());
        lock.lock();
        try {
            List<Bucket> asked = new ArrayList<>(targets.size());
            boolean allowed = maySpend;
            for (Target target : targets) {
                Bucket bucket = bucket(target);
                asked.add(bucket);
                allowed &= bucket.fits(cost) || target.rule().shadow();
            }
            List<Standing> standings = new ArrayList<>(targets.size());
            for (Bucket bucket : asked) {
                standings.add(bucket.spend(cost, allowed));
            }
            return standings;
        } finally {
            lock.unlock();
        }
    }

    void forget(CounterId counter) {
        buckets.invalidate(counter);
    }

    /** All counters of a call have one tag, so one lock is enough for all or nothing. */
    private ReentrantLock lockOf(String tag) {
        int hash = tag.hashCode();
        return locks[(hash ^ hash >>> 16) & LOCKS - 1];
    }

    private Bucket bucket(Target target) {
        long now = ticker.read() / NANOS_A_MICRO;
        Bucket known = buckets.getIfPresent(target.counter());
        if (known == null || known.terms != target.terms()) {
            known = known == null ? new Bucket(target.terms(), now, 0) : known.under(target.terms());
            buckets.put(target.counter(), known);
        }
        known.leak(now);
        return known;
    }

    /** As bucket.lua has it; only touched under the lock of its tag. */
    private static final class Bucket {
        private final Terms terms;
        private final long token;
        private final long drain;
        private final long capacity;
        private long last;
        private long level;

        Bucket(Terms terms, long last, long level) {
            this.terms = terms;
            this.token = terms.bucket().token();
            this.drain = terms.bucket().drain();
            this.capacity = terms.rule().burst() * token;
            this.last = last;
            this.level = Math.min(level, capacity);
        }

        /** The rule changed: what was spent stays spent, in the new one's tokens, rounded up. */
        Bucket under(Terms changed) {
            long rest = BigInteger.valueOf(level % token)
                    .multiply(BigInteger.valueOf(changed.bucket().token()))
                    .add(BigInteger.valueOf(token - 1))
                    .divide(BigInteger.valueOf(token))
                    .longValueExact();
            long units = Math.min(level / token, changed.rule().burst());
            return new Bucket(changed, last, units * changed.bucket().token() + rest);
        }

        void leak(long now) {
            long elapsed = Math.max(0, now - last);
            level = elapsed >= ceilDiv(level, drain) ? 0 : level - elapsed * drain;
            last = now;
        }

        /** One in shadow may be asked for more than there ever is. */
        boolean fits(long cost) {
            return cost <= terms.rule().burst() && level <= capacity - cost * token;
        }

        Standing spend(long cost, boolean allowed) {
            boolean fits = fits(cost);
            long most = Math.min(cost, terms.rule().burst());
            long retry = fits ? 0 : Math.max(1, ceilDiv(level - (capacity - most * token), drain));
            if (fits && allowed) {
                level += cost * token;
            }
            return new Standing(fits, 0, (capacity - level) / token, ceilDiv(level, drain), retry, 0);
        }

        private static long ceilDiv(long dividend, long divisor) {
            return Math.ceilDiv(dividend, divisor);
        }
    }
}
