package dev.hotstate.limits;

import java.time.Duration;
import java.util.List;

/** What came of a call: every check let it through and was spent, or nothing was. */
public sealed interface Decision {

    /** One for each check, in the order of the call. */
    List<Verdict> verdicts();

    boolean isAllowed();

    /** When to come back: the longest wait of the checks that denied; zero when allowed. */
    default Duration retryAfter() {
        return verdicts().stream()
                .map(Verdict::retryAfter)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** All checks were spent. */
    record Allowed(List<Verdict> verdicts) implements Decision {
        public Allowed {
            verdicts = List.copyOf(verdicts);
        }

        @Override
        public boolean isAllowed() {
            return true;
        }
    }

    /** Nothing was spent. */
    record Denied(List<Verdict> verdicts) implements Decision {
        public Denied {
            verdicts = List.copyOf(verdicts);
        }

        @Override
        public boolean isAllowed() {
            return false;
        }

        /** Redis is away and a rule says that then nothing passes: no limit was reached. */
        public boolean isClosed() {
            return verdicts.stream().anyMatch(verdict -> !verdict.allowed() && verdict.decidedBy() == DecidedBy.CLOSED);
        }
    }
}
