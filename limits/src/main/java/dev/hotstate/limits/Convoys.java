package dev.hotstate.limits;

import dev.hotstate.limits.RedisLimits.Acquired;
import dev.hotstate.limits.RedisLimits.Refund;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls of this process that meet at one counter go to Redis together. The first goes at once; those that come while it is
 * under way wait for it, and then one of them asks for all: it takes what they want as far as it is there, and hands it
 * out in the order in which they came. So a hot key costs a round trip for many calls, none waits for more than two, and
 * each gets what it would have got alone: the units are spent at the moment of its own answer.
 *
 * <p>For calls of one check, of a rule that neither leases nor is in shadow. At most {@value #MOST} go together.
 */
final class Convoys {
    static final int MOST = 256;

    private final RedisLimits counters;
    private final Denials denials;
    private final ConcurrentHashMap<Target, Deque<Traveller>> waiting = new ConcurrentHashMap<>();

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
        Traveller me = new Traveller(cost);
        List<Traveller> convoy = isFirst(target, me) ? List.of(me) : me.turn.join();
        if (!convoy.isEmpty()) {
            lead(target, convoy);
        }
        return me.answer();
    }

    /** One call: what came of it, and the convoy it is to lead; an empty one when another has led it. */
    private static final class Traveller {
        private final long cost;
        private final CompletableFuture<List<Traveller>> turn = new CompletableFuture<>();
        private @Nullable Decision decision;
        private @Nullable RuntimeException failure;

        Traveller(long cost) {
            this.cost = cost;
        }

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

    private boolean isFirst(Target target, Traveller me) {
        boolean[] first = {false};
        waiting.compute(target, (counter, others) -> {
            if (others == null) {
                first[0] = true;
                return new ArrayDeque<>(0);
            }
            others.add(me);
            return others;
        });
        return first[0];
    }

    private void lead(Target target, List<Traveller> convoy) {
        List<Traveller> unserved = List.of();
        try {
            unserved = send(target, convoy);
        } catch (RuntimeException failed) {
            convoy.forEach(traveller -> traveller.failed(failed));
        } catch (Error broken) {
            RuntimeException told = new IllegalStateException("the call that asked for this one broke", broken);
            convoy.forEach(traveller -> traveller.failed(told));
            throw broken;
        } finally {
            handOver(target, unserved);
        }
    }

    /** Answers those who are not served yet: there is not enough for their cost, but Redis did not say until when. */
    private List<Traveller> send(Target target, List<Traveller> convoy) {
        long cost = convoy.getFirst().cost;
        long wanted = convoy.stream().mapToLong(traveller -> traveller.cost).sum();
        Denials.Moment sent = denials.moment();
        List<Target> targets = List.of(target);
        Acquired acquired = counters.acquire(targets, cost, one -> wanted);
        Standing standing = acquired.standings().getFirst();
        if (acquired.allowed()) {
            return handOut(target, standing, convoy);
        }
        denials.note(targets, acquired.standings(), cost, sent);
        return deny(target, standing, convoy);
    }

    private List<Traveller> handOut(Target target, Standing standing, List<Traveller> convoy) {
        List<Traveller> unserved = new ArrayList<>(0);
        long left = standing.taken();
        for (Traveller traveller : convoy) {
            if (traveller.cost <= left) {
                left -= traveller.cost;
                traveller.decided(
                        new Decision.Allowed(List.of(standing.withMore(left).verdict(target, DecidedBy.REDIS))));
            } else {
                unserved.add(traveller);
            }
        }
        if (left > 0) {
            counters.refund(List.of(new Refund(target, left, standing.stamp())));
        }
        return unserved;
    }

    /** A denial is for the cost that was asked: whoever has another one asks for himself. */
    private static List<Traveller> deny(Target target, Standing standing, List<Traveller> convoy) {
        List<Traveller> unserved = new ArrayList<>(0);
        Decision denied = new Decision.Denied(List.of(standing.verdict(target, DecidedBy.REDIS)));
        for (Traveller traveller : convoy) {
            if (traveller.cost == convoy.getFirst().cost) {
                traveller.decided(denied);
            } else {
                unserved.add(traveller);
            }
        }
        return unserved;
    }

    /** The next convoy sets out, led by its first; those who were not served are the first in it. */
    private void handOver(Target target, List<Traveller> unserved) {
        List<Traveller> next = new ArrayList<>(0);
        waiting.compute(target, (counter, others) -> {
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
