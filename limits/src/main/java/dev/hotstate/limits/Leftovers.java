package dev.hotstate.limits;

import dev.hotstate.limits.RedisLimits.Refund;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was left in pockets that ended, on its way back to Redis. It is tried once: a refund whose answer was lost may have
 * happened, and what does not come back is counted as spent until its window is over, to the strict side.
 */
final class Leftovers {
    private static final Logger log = LoggerFactory.getLogger(Leftovers.class);
    /** Counters in one pipeline. */
    private static final int BATCH = 500;

    private final RedisLimits counters;
    private final Queue<Refund> waiting = new ConcurrentLinkedQueue<>();

    Leftovers(RedisLimits counters) {
        this.counters = counters;
    }

    /** Empties a pocket, to be given back. */
    void add(Pocket pocket) {
        long units = pocket.empty();
        if (units > 0) {
            waiting.add(new Refund(pocket.target(), units, pocket.stamp()));
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void giveBack() {
        List<Refund> batch = new ArrayList<>();
        for (Refund next = waiting.poll(); next != null; next = waiting.poll()) {
            batch.add(next);
            if (batch.size() == BATCH || waiting.isEmpty()) {
                giveBack(batch);
                batch = new ArrayList<>();
            }
        }
    }

    private void giveBack(List<Refund> batch) {
        try {
            counters.refundEach(batch);
        } catch (RuntimeException failed) {
            log.warn("leased units of {} counters may stay spent: {}", batch.size(), failed.getMessage());
        }
    }
}
