package dev.hotstate.limits;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** What was counted between two flushes, by many threads at once. */
final class TallyCounts {
    /** More rules than these (give or take one a thread) are not counted, so that a flush stays small. */
    static final int MOST_RULES = 1_000;

    /** How long the end waits for a caller in the middle of {@link #note}: one that is held up for longer is not counted. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration LOOK = Duration.ofNanos(200_000);

    private final LongAdder entered = new LongAdder();
    private final LongAdder left = new LongAdder();
    private volatile boolean ended;
    private final Map<String, Counters> rules = new ConcurrentHashMap<>();
    private final TallyDenials denials = new TallyDenials();

    /**
     * A check that had room in a call that others denied says nothing, and counts as nothing.
     *
     * @return false once this has ended: the successor counts it
     */
    boolean note(Call call, Decision decision) {
        entered.increment();
        try {
            if (ended) {
                return false;
            }
            count(call, decision);
            return true;
        } finally {
            left.increment();
        }
    }

    /** Nothing is counted here any more, and who was about to is done. */
    void end() {
        ended = true;
        long begin = System.nanoTime();
        while (left.sum() != entered.sum() && System.nanoTime() - begin < PATIENCE.toNanos()) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private void count(Call call, Decision decision) {
        for (Verdict verdict : decision.verdicts()) {
            if (!verdict.allowed()) {
                noteDenial(call.tag(), verdict);
            } else if (verdict.shadowDenied()) {
                count(verdict, counters -> counters.shadowDenied);
            } else if (decision.isAllowed()) {
                count(verdict, counters -> counters.allowed);
            }
        }
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }

    Map<String, TallyRule> byRule() {
        Map<String, TallyRule> byRule = new HashMap<>();
        rules.forEach((rule, counters) -> byRule.put(rule, counters.sums()));
        return byRule;
    }

    Map<CounterId, Long> denials() {
        return denials.counts();
    }

    private void noteDenial(String tag, Verdict verdict) {
        count(verdict, counters -> counters.denied);
        // A closed rule says nothing of its subject: Redis is away, no limit was reached.
        if (verdict.decidedBy() != DecidedBy.CLOSED) {
            denials.note(new CounterId(tag, verdict.rule().id(), verdict.subject()));
        }
    }

    private void count(Verdict verdict, Function<Counters, LongAdder> outcome) {
        String rule = verdict.rule().id();
        Counters counters = rules.get(rule);
        if (counters == null && rules.size() < MOST_RULES) {
            counters = rules.computeIfAbsent(rule, r -> new Counters());
        }
        if (counters != null) {
            outcome.apply(counters).increment();
        }
    }

    private static final class Counters {
        private final LongAdder allowed = new LongAdder();
        private final LongAdder denied = new LongAdder();
        private final LongAdder shadowDenied = new LongAdder();

        TallyRule sums() {
            return new TallyRule(allowed.sum(), denied.sum(), shadowDenied.sum());
        }
    }
}
