package dev.hotstate.limits;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What was counted between two flushes, by many threads at once. */
final class TallyCounts {
    /** More rules than these (give or take one a thread) are not counted, so that a flush stays small. */
    static final int MOST_RULES = 1_000;

    private final Map<String, Counters> rules = new ConcurrentHashMap<>();
    private final TallyDenials denials = new TallyDenials();

    void note(Call call, Decision decision) {
        for (Verdict verdict : decision.verdicts()) {
            String rule = verdict.rule().id();
            Counters counters = countersOf(rule);
            if (counters == null) {
                continue;
            }
            counters.note(verdict);
            // A closed rule says nothing of its subject: Redis is away, no limit was reached.
            if (!verdict.allowed() && verdict.decidedBy() != DecidedBy.CLOSED) {
                denials.note(new TallySubject(rule, call.tag(), verdict.subject()));
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

    Map<TallySubject, Long> denials() {
        return denials.counts();
    }

    private @Nullable Counters countersOf(String rule) {
        Counters known = rules.get(rule);
        return known != null || rules.size() >= MOST_RULES ? known : rules.computeIfAbsent(rule, r -> new Counters());
    }

    private static final class Counters {
        private final LongAdder allowed = new LongAdder();
        private final LongAdder denied = new LongAdder();
        private final LongAdder shadowDenied = new LongAdder();

        void note(Verdict verdict) {
            if (!verdict.allowed()) {
                denied.increment();
            } else if (verdict.shadowDenied()) {
                shadowDenied.increment();
            } else {
                allowed.increment();
            }
        }

        TallyRule sums() {
            return new TallyRule(allowed.sum(), denied.sum(), shadowDenied.sum());
        }
    }
}
