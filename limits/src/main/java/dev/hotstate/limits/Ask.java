package dev.hotstate.limits;

import dev.hotstate.limits.Answer.Acquired;
import dev.hotstate.limits.Answer.Broken;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One call on its way to Redis, and what came of it. Its own thread makes it and waits for it; any other may answer. */
final class Ask {
    /** So many units of a log cost Redis about as much as one check. */
    private static final int UNITS_A_CHECK = 16;

    private final List<Target> targets;
    private final Route route;

    private final long cost;
    private final Wants wants;
    private final Thread caller = Thread.currentThread();
    private volatile @Nullable Answer answer;

    /** How many units a call takes of a counter at once, the cost included. */
    @FunctionalInterface
    interface Wants {
        long of(Target target);
    }

    Ask(List<Target> targets, long cost, Wants wants) {
        this.targets = targets;
        this.cost = cost;
        this.wants = wants;
        this.route = Route.of(targets);
    }

    List<Target> targets() {
        return targets;
    }

    Route route() {
        return route;
    }

    String tag() {
        return targets.getFirst().counter().tag();
    }

    long cost() {
        return cost;
    }

    long want(Target target) {
        return wants.of(target);
    }

    /** Whether Redis may be asked for several of the same counter and cost at once: none leases or is in shadow. */
    boolean merges() {
        return targets.size() == 1
                && !targets.getFirst().terms().leases()
                && !targets.getFirst().rule().shadow();
    }

    /** What it is for Redis, in checks. */
    long work() {
        long work = targets.size();
        for (Target target : targets) {
            if (target.rule().algorithm() == Algorithm.SLIDING_LOG) {
                work += Math.min(wants.of(target), target.rule().capacity()) / UNITS_A_CHECK;
            }
        }
        return work;
    }

    /** Whether nobody waits for it any more. */
    boolean isGivenUp() {
        return answer != null;
    }

    void answer(Answer given) {
        answer = given;
        LockSupport.unpark(caller);
    }

    /**
     * What came of it. Whoever asks for it has a deadline, so this has none.
     *
     * @throws UnansweredException when its thread is interrupted: it may have happened
     */
    Acquired await() {
        while (true) {
            switch (answer) {
                case Acquired acquired -> {
                    return acquired;
                }
                case Broken broken -> throw broken.reason();
                case null -> waitAWhile();
            }
        }
    }

    private void waitAWhile() {
        if (Thread.currentThread().isInterrupted()) {
            UnansweredException interrupted = new UnansweredException("interrupted while waiting for Redis");
            answer = new Broken(interrupted);
            throw interrupted;
        }
        LockSupport.park(this);
    }
}
