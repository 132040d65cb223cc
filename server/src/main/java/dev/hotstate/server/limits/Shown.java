package dev.hotstate.server.limits;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hotstate.limits.Decision;
import dev.hotstate.limits.Verdict;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision as it is answered. */
record Shown(boolean allowed, List<OneCheck> checks) {
    static Shown of(Decision decision) {
        return new Shown(
                decision.isAllowed(),
                decision.verdicts().stream()
                        .map(verdict -> OneCheck.of(verdict, null))
                        .toList());
    }

    /**
     * One check of it. Times are rounded up: whoever waits so long is not too early.
     *
     * @param tag only where one subject is looked at
     * @param shadow only of a rule that denies nothing
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record OneCheck(
            String rule,
            String subject,
            @Nullable String tag,
            boolean allowed,
            long limit,
            long remaining,
            long resetAfterMs,
            long retryAfterMs,
            String decidedBy,
            @Nullable Boolean shadow,
            @Nullable Boolean shadowDenied) {
        static OneCheck of(Verdict verdict, @Nullable String tag) {
            boolean shadow = verdict.rule().shadow();
            return new OneCheck(
                    verdict.rule().id(),
                    verdict.subject(),
                    tag,
                    verdict.allowed(),
                    verdict.rule().limit(),
                    verdict.remaining(),
                    millis(verdict.resetAfter()),
                    millis(verdict.retryAfter()),
                    RuleDocument.word(verdict.decidedBy()),
                    shadow ? true : null,
                    shadow ? verdict.shadowDenied() : null);
        }

        private static long millis(Duration duration) {
            return duration.plusNanos(999_999).toMillis();
        }
    }
}
