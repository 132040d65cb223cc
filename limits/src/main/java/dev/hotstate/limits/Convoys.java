package dev.hotstate.limits;

import dev.hotstate.limits.Answer.Acquired;
import dev.hotstate.limits.Answer.Broken;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls of this process that meet on their way to Redis travel together: many decisions, one round trip, each for itself.
 * A call that meets nobody goes at once. While {@value #UNDER_WAY} are under way, those that come wait, and what has
 * gathered when one is back goes next: nobody waits for company.
 *
 * <p>They meet at the one Redis; on Cluster, where a script has one slot, at their tag. At most {@value #MOST_WORK} checks
 * and the last call travel together, so that they hold Redis for less than a millisecond. At most {@value #MOST_WAITING}
 * wait, so nobody does for more than a few round trips; whoever comes then goes alone.
 */
final class Convoys {
    static final int MOST_WORK = 64;
    static final int MOST_WAITING = 1_024;
    static final int UNDER_WAY = 2;

    private final RedisLimits counters;
    private final Stop node = new Stop();
    private final ConcurrentHashMap<String, Stop> byTag = new ConcurrentHashMap<>();

    Convoys(RedisLimits counters) {
        this.counters = counters;
    }

    /** Spends the cost from all counters or none; where a target wants more than the cost it gets it if it is there. */
    Acquired ask(List<Target> targets, long cost, Ask.Wants wants) {
        Ask ask = new Ask(targets, cost, wants);
        return counters.areOnOneNode() ? node.bring(ask) : bringByTag(ask);
    }

    private Acquired bringByTag(Ask ask) {
        Stop stop = byTag.compute(ask.tag(), (tag, known) -> {
            Stop here = known == null ? new Stop() : known;
            here.visitors++;
            return here;
        });
        try {
            return stop.bring(ask);
        } finally {
            byTag.computeIfPresent(ask.tag(), (tag, left) -> --left.visitors == 0 ? null : left);
        }
    }

    /** Where calls meet. */
    private final class Stop {
        private final Queue<Ask> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
        private final AtomicInteger underWay = new AtomicInteger();
        /** On Cluster, calls that are here; only touched while the map holds its place. */
        private int visitors;

        Acquired bring(Ask ask) {
            if (setsOut()) {
                try {
                    send(List.of(ask));
                } finally {
                    handOver();
                }
            } else if (!waiting.offer(ask)) {
                send(List.of(ask));
            } else if (setsOut()) {
                // Those under way came back before they could see it.
                handOver();
            }
            return ask.await();
        }

        private boolean setsOut() {
            int now = underWay.get();
            while (now < UNDER_WAY) {
                if (underWay.compareAndSet(now, now + 1)) {
                    return true;
                }
                now = underWay.get();
            }
            return false;
        }

        /** A thread of its own leads those who wait: a caller's could be interrupted, and would take them with it. */
        private void handOver() {
            if (waiting.isEmpty()) {
                underWay.decrementAndGet();
                if (waiting.isEmpty() || !setsOut()) {
                    return;
                }
            }
            Thread.startVirtualThread(this::lead);
        }

        private void lead() {
            try {
                List<Ask> convoy = gathered(List.of());
                while (!convoy.isEmpty()) {
                    convoy = gathered(send(convoy));
                }
            } finally {
                handOver();
            }
        }

        /** Those who were not served are the first of the next. */
        private List<Ask> gathered(List<Ask> unserved) {
            List<Ask> convoy = new ArrayList<>(unserved);
            long work = unserved.size();
            while (work < MOST_WORK) {
                Ask next = waiting.poll();
                if (next == null) {
                    break;
                }
                if (!next.isGivenUp()) {
                    convoy.add(next);
                    work += next.work();
                }
            }
            return convoy;
        }

        /** Answers those who are not served yet, because there was not enough for all. */
        private List<Ask> send(List<Ask> convoy) {
            try {
                List<Party> parties = Party.of(convoy);
                List<Answer> answers = counters.acquire(parties);
                List<Ask> unserved = new ArrayList<>(0);
                for (int i = 0; i < parties.size(); i++) {
                    unserved.addAll(parties.get(i).answer(answers.get(i)));
                }
                return unserved;
            } catch (RuntimeException failed) {
                fail(convoy, failed);
                return List.of();
            } catch (Error broken) {
                fail(convoy, new IllegalStateException("what asked for this call broke", broken));
                throw broken;
            }
        }

        private void fail(List<Ask> convoy, RuntimeException reason) {
            Broken broken = new Broken(reason);
            convoy.forEach(ask -> ask.answer(broken));
            if (Thread.currentThread().isInterrupted()) {
                // Only this call was told to stop.
                return;
            }
            // What has just failed would fail for those who wait, one wait after the other.
            for (Ask next = waiting.poll(); next != null; next = waiting.poll()) {
                next.answer(broken);
            }
        }
    }
}
