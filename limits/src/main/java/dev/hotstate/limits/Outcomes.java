package dev.hotstate.limits;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** How often a rule allowed and denied, by whom. A counter is looked up once; then counting costs nanoseconds. */
final class Outcomes {
    private static final String NAME = "hotstate.limits.decisions";
    private static final String[] WORDS = {"allowed", "denied", "shadow_denied"};
    private static final DecidedBy[] DECIDERS = DecidedBy.values();

    private final String rule;
    private final MeterRegistry meters;
    private final AtomicReferenceArray<@Nullable Counter> counters =
            new AtomicReferenceArray<>(WORDS.length * DECIDERS.length);

    Outcomes(String rule, MeterRegistry meters) {
        this.rule = rule;
        this.meters = meters;
    }

    /** Counts one verdict of a call; one that would have allowed a call that others denied says nothing. */
    void count(Verdict verdict, boolean callAllowed) {
        if (verdict.shadowDenied()) {
            counter(2, verdict.decidedBy()).increment();
        } else if (!verdict.allowed()) {
            counter(1, verdict.decidedBy()).increment();
        } else if (callAllowed) {
            counter(0, verdict.decidedBy()).increment();
        }
    }

    /** Nobody asks for the rule any more; a call that is under way may still count, in vain. */
    void end() {
        meters.find(NAME).tag("rule", rule).counters().forEach(meters::remove);
    }

    private Counter counter(int word, DecidedBy decidedBy) {
        int place = word * DECIDERS.length + decidedBy.ordinal();
        Counter known = counters.get(place);
        if (known == null) {
            String decider = decidedBy.name().toLowerCase(Locale.ROOT);
            known = Counter.builder(NAME)
                    .description("Checks that a rule allowed, denied, or would have denied were it not in shadow.")
                    .tags("rule", rule, "outcome", WORDS[word], "decided_by", decider)
                    .register(meters);
            counters.set(place, known);
        }
        return known;
    }
}
