package dev.hotstate.limits;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** What was counted between two flushes, by many threads at once. */
final class TallyCounts {
    /** More rules than these (give or take one a thread) are not counted, so that a flush stays small. */
    static final int MOST_RULES = 1_000;

    private final Map<String, Counters> rules = new ConcurrentHashMap<>();
    private final TallyDenials denials = new TallyDenials();

    /** A check that had room in a call that others denied says nothing, and counts as nothing. */
    void note(Call call, Decision decision) {
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
