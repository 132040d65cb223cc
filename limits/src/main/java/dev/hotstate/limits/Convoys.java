package dev.hotstate.limits;

import dev.hotstate.limits.RedisLimits.Acquired;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls of this process that meet at one counter with one cost go to Redis together. The first goes at once; those that
 * come while it is under way wait for it, and then one of them asks for all: it takes what they want as far as it is
 * there, and hands it out in the order in which they came. So a hot key costs a round trip for many calls, and each gets
 * what it would have got alone: the units are spent at the moment of its own answer, and none is taken that nobody uses.
 *
 * <p>For calls of one check, of a rule that neither leases nor is in shadow. At most {@value #MOST} go together.
 */
final class Convoys {
    static final int MOST = 256;

    private final RedisLimits counters;
    private final Denials denials;
    private final ConcurrentHashMap<Stop, Deque<Traveller>> waiting = new ConcurrentHashMap<>();

    Convoys(RedisLimits counters, Denials denials) {
        this.counters = counters;
        this.denials = denials;
    }

    static boolean take(List<Target> targets) {
        return targets.size() == 1
                && !targets.getFirst().terms().leases()
                && !targets.getFirst().rule().shadow();
    }

    Decision ask(Target target, long cost) {
        Stop stop = new Stop(target, cost);
        Traveller me = new Traveller();
        List<Traveller> convoy = isFirst(stop, me) ? List.of(me) : me.turn.join();
        if (!convoy.isEmpty()) {
            lead(stop, convoy);
        }
        return me.answer();
    }

    /** Where calls meet. */
    private record Stop(Target target, long cost) {}

    /** One call: what came of it, and the convoy it is to lead; an empty one when another has led it. */
    private static final class Traveller {
        private final CompletableFuture<List<Traveller>> turn = new CompletableFuture<>();
        private @Nullable Decision decision;
        private @Nullable RuntimeException failure;

        void decided(Decision made) {
            decision = made;
            turn.complete(List.of());
        }

        void failed(RuntimeException reason) {
            failure = reason;
            turn.complete(List.of());
        }

        Decision answer() {
            if (decision == null) {
                throw failure == null ? new IllegalStateException("a call was led by nobody") : failure;
            }
            return decision;
        }
    }

    private boolean isFirst(Stop stop, Traveller me) {
        boolean[] first = {false};
        waiting.compute(stop, (same, others) -> {
            if (others == null) {
                first[0] = true;
                return new ArrayDeque<>(0);
            }
            others.add(me);
            return others;
        });
        return first[0];
    }

    /** The leader is the first of its convoy. */
    private void lead(Stop stop, List<Traveller> convoy) {
        List<Traveller> unserved = List.of();
        try {
            unserved = send(stop, convoy);
        } catch (RuntimeException failed) {
            if (Thread.currentThread().isInterrupted()) {
                // Only the leader was told to stop: the others ask for themselves.
                convoy.getFirst().failed(failed);
                unserved = convoy.subList(1, convoy.size());
            } else {
                failAll(stop, convoy, failed);
            }
        } catch (Error broken) {
            failAll(stop, convoy, new IllegalStateException("the call that asked for this one broke", broken));
            throw broken;
        } finally {
            handOver(stop, unserved);
        }
    }

    /** Answers those who are not served yet, because there was not enough for all. */
    private List<Traveller> send(Stop stop, List<Traveller> convoy) {
        List<Target> targets = List.of(stop.target);
        Denials.Moment sent = denials.moment();
        Acquired acquired = counters.acquire(targets, stop.cost, target -> stop.cost * convoy.size());
        Standing standing = acquired.standings().getFirst();
        if (!acquired.allowed()) {
            denials.note(targets, acquired.standings(), stop.cost, sent);
            Decision denied = new Decision.Denied(List.of(standing.verdict(stop.target, DecidedBy.REDIS)));
            convoy.forEach(traveller -> traveller.decided(denied));
            return List.of();
        }
        int served = (int) (standing.taken() / stop.cost);
        for (int i = 0; i < served; i++) {
            Standing mine = standing.withMore(stop.cost * (served - 1 - i));
            convoy.get(i).decided(new Decision.Allowed(List.of(mine.verdict(stop.target, DecidedBy.REDIS))));
        }
        return convoy.subList(served, convoy.size());
    }

    /** Those who wait as well: what has just failed would fail for them, one wait after the other. */
    private void failAll(Stop stop, List<Traveller> convoy, RuntimeException failure) {
        List<Traveller> all = new ArrayList<>(convoy);
        waiting.computeIfPresent(stop, (same, others) -> {
            all.addAll(others);
            return new ArrayDeque<>(0);
        });
        all.forEach(traveller -> traveller.failed(failure));
    }

    /** The next convoy sets out, led by its first; those who were not served are the first in it. */
    private void handOver(Stop stop, List<Traveller> unserved) {
        List<Traveller> next = new ArrayList<>(0);
        waiting.compute(stop, (same, others) -> {
            Deque<Traveller> all = new ArrayDeque<>(unserved);
            if (others != null) {
                all.addAll(others);
            }
            while (!all.isEmpty() && next.size() < MOST) {
                next.add(all.removeFirst());
            }
            return next.isEmpty() ? null : all;
        });
        if (!next.isEmpty()) {
            next.getFirst().turn.complete(next);
        }
    }
}
