package dev.hotstate.limits;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Leased quotas: of a rule with a {@link Rule.Lease} this process takes a slice at once and serves calls from it, without
 * Redis, until the lease or the window ends; what is left then goes back. There is one pocket a counter, filled by one
 * call at a time while others ask Redis for themselves, so a process never holds more than one slice of a counter.
 *
 * <p>At most {@value #MOST} counters have a pocket at a time; the others are asked for call by call.
 */
final class Pockets implements AutoCloseable {
    static final int MOST = 10_000;

    /** How late what is left of an ended pocket may go back. */
    private static final Duration SWEEP = Duration.ofMillis(20);
    /** How long a close waits for what is just going back. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Ticker ticker;
    private final ConcurrentHashMap<CounterId, Pocket> pockets = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<CounterId, Refill> filling = new ConcurrentHashMap<>();
    private final Leftovers leftovers;
    private final Thread sweeper;
    private volatile boolean closed;

    Pockets(RedisLimits counters, Ticker ticker) {
        this.leftovers = new Leftovers(counters);
        this.ticker = ticker;
        this.sweeper = Thread.ofVirtual().name("hotstate-limits-pockets").start(this::sweepUntilClosed);
    }

    /** Lets a call through when every check of it has a pocket with enough; null when Redis must be asked. */
    Decision.@Nullable Allowed serve(List<Target> targets, long cost) {
        if (!targets.getFirst().terms().leases()) {
            return null;
        }
        long now = ticker.read();
        List<Pocket> taken = new ArrayList<>(targets.size());
        for (Target target : targets) {
            Pocket pocket = pocketOf(target);
            if (pocket == null || !pocket.take(cost, now)) {
                taken.forEach(earlier -> earlier.putBack(cost));
                return null;
            }
            taken.add(pocket);
        }
        List<Verdict> verdicts = new ArrayList<>(taken.size());
        for (Pocket pocket : taken) {
            verdicts.add(verdict(pocket, now));
        }
        return new Decision.Allowed(verdicts);
    }

    /**
     * The slices that a call which asks Redis takes with it: of the counters without enough in their pocket, which
     * nobody else is filling. To be ended with {@link Filling#end}.
     */
    Filling begin(List<Target> targets, long cost) {
        Filling begun = new Filling(cost);
        if (!closed && allLease(targets)) {
            for (Target target : targets) {
                if (hasTooLittle(target, cost)) {
                    Refill refill = new Refill(target);
                    if (filling.putIfAbsent(target.counter(), refill) == null) {
                        begun.mine.add(refill);
                    }
                }
            }
        }
        return begun;
    }

    /** A slice of one counter on its way here; void once the counter is forgotten. */
    private static final class Refill {
        private final Target target;
        private volatile boolean isVoid;

        Refill(Target target) {
            this.target = target;
        }
    }

    /** One call on its way to Redis, and the counters whose pockets it fills. */
    final class Filling implements Ask.Wants {
        private final List<Refill> mine = new ArrayList<>(0);
        private final long cost;
        private final long sentAt = ticker.read();

        private Filling(long cost) {
            this.cost = cost;
        }

        @Override
        public long of(Target target) {
            for (Refill refill : mine) {
                if (refill.target.equals(target)) {
                    return Math.max(cost, target.rule().lease().orElseThrow().slice());
                }
            }
            return cost;
        }

        void fill(List<Target> targets, List<Standing> standings) {
            for (Refill refill : mine) {
                Standing standing = standings.get(targets.indexOf(refill.target));
                if (standing.taken() > cost && !refill.isVoid) {
                    put(refill.target, standing, cost, sentAt);
                    if (refill.isVoid) {
                        drop(refill.target.counter());
                    }
                }
            }
        }

        void end() {
            mine.forEach(refill -> filling.remove(refill.target.counter(), refill));
        }
    }

    /** The counter was reset: what was taken of it is void, also what is on its way here. */
    void forget(CounterId counter) {
        Refill refill = filling.get(counter);
        if (refill != null) {
            refill.isVoid = true;
        }
        drop(counter);
    }

    private void drop(CounterId counter) {
        Pocket dropped = pockets.remove(counter);
        if (dropped != null) {
            dropped.empty();
        }
    }

    /** Everything that is left goes back; without Redis it is counted as spent until its window is over. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(sweeper);
        try {
            sweeper.join(PATIENCE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        pockets.values().forEach(this::retire);
        leftovers.giveBack();
    }

    private static boolean allLease(List<Target> targets) {
        for (Target target : targets) {
            if (!target.terms().leases()) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Pocket pocketOf(Target target) {
        Pocket pocket = pockets.get(target.counter());
        return pocket != null && pocket.target().terms() == target.terms() ? pocket : null;
    }

    private boolean hasTooLittle(Target target, long cost) {
        Pocket pocket = pocketOf(target);
        return pocket == null ? pockets.size() < MOST : pocket.left() < cost || pocket.endsAt() - ticker.read() <= 0;
    }

    private void put(Target target, Standing standing, long cost, long sentAt) {
        Pocket pocket = new Pocket(
                target,
                new AtomicLong(standing.taken() - cost),
                sentAt + nanosUntilEnd(target.rule(), standing),
                standing.stamp(),
                standing.remaining(),
                sentAt + standing.resetMicros() * 1000);
        Pocket before = pockets.put(target.counter(), pocket);
        if (before != null) {
            leftovers.add(before);
        }
        if (closed) {
            retire(pocket);
            leftovers.giveBack();
        }
        LockSupport.unpark(sweeper);
    }

    /** Units of a window are of no use after it; the reset of a sliding one is a window later than its end. */
    private static long nanosUntilEnd(Rule rule, Standing standing) {
        long lease = rule.lease().orElseThrow().length().toNanos();
        return switch (rule.algorithm()) {
            case FIXED_WINDOW -> Math.min(lease, standing.resetMicros() * 1000);
            case SLIDING_WINDOW ->
                Math.min(lease, standing.resetMicros() * 1000 - rule.window().toNanos());
            case SLIDING_LOG, TOKEN_BUCKET -> lease;
        };
    }

    private void sweepUntilClosed() {
        while (!closed) {
            if (pockets.isEmpty() && leftovers.isEmpty()) {
                LockSupport.park();
            } else {
                LockSupport.parkNanos(SWEEP.toNanos());
                sweep();
            }
        }
    }

    private void sweep() {
        long now = ticker.read();
        for (Pocket pocket : pockets.values()) {
            if (pocket.endsAt() - now <= 0) {
                retire(pocket);
            }
        }
        leftovers.giveBack();
    }

    private void retire(Pocket pocket) {
        if (pockets.remove(pocket.target().counter(), pocket)) {
            leftovers.add(pocket);
        }
    }

    private static Verdict verdict(Pocket pocket, long now) {
        Target target = pocket.target();
        return new Verdict(
                target.rule(),
                target.subject(),
                true,
                pocket.remaining() + pocket.left(),
                Duration.ofNanos(Math.max(0, pocket.resetAt() - now)),
                Duration.ZERO,
                DecidedBy.LOCAL,
                false);
    }
}
