package dev.hotstate.limits;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the denials of those who are denied most, in bounded memory (Misra and Gries: "Finding repeated elements").
 *
 * <p>There are {@value #MOST} counters. When a subject comes that has none and none is free, the median of the counts is
 * taken off every counter, and half of them at least are free again. Each time that takes the median off half of the
 * counters, so over n denials no subject loses more than n / 500: whoever has more of them is kept, the others are a
 * crowd. A count is never more than the truth.
 */
final class TallyDenials {
    static final int MOST = 1_000;

    private final Map<CounterId, LongAdder> counters = new ConcurrentHashMap<>();
    private final ReentrantLock beginning = new ReentrantLock();

    /** Without a lock for whoever has a counter, so that one hot subject does not make its callers queue. */
    void note(CounterId subject) {
        LongAdder known = counters.get(subject);
        if (known == null) {
            begin(subject);
        } else {
            known.increment();
        }
    }

    Map<CounterId, Long> counts() {
        Map<CounterId, Long> counts = new HashMap<>();
        counters.forEach((subject, count) -> counts.put(subject, count.sum()));
        return counts;
    }

    private void begin(CounterId subject) {
        beginning.lock();
        try {
            if (counters.size() >= MOST) {
                makeRoom();
            }
            counters.computeIfAbsent(subject, s -> new LongAdder()).increment();
        } finally {
            beginning.unlock();
        }
    }

    private void makeRoom() {
        long[] sums =
                counters.values().stream().mapToLong(LongAdder::sum).sorted().toArray();
        long median = sums[sums.length / 2];
        counters.values().removeIf(counter -> {
            counter.add(-median);
            return counter.sum() <= 0;
        });
    }
}
