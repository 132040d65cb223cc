package dev.hotstate.limits;

import java.util.HashSet;
import java.util.List;

/**
 * What is asked at once: all checks are allowed and spent together, or none is.
 *
 * <pre>{@code
 * Call.of("login", "user:123")
 * Call.of("acme", 1, List.of(new Check("tenant", "acme"), new Check("user", "ann"), new Check("endpoint", "POST /orders")))
 * }</pre>
 *
 * @param tag what is decided together: its counters share a slot. A counter belongs to (tag, rule, subject)
 * @param cost what each of the checks spends, at least 1
 */
public record Call(String tag, long cost, List<Check> checks) {
    /** Work for Redis in one call is bounded. */
    public static final int MAX_CHECKS = 16;

    public Call {
        Check.requireText("tag", tag);
        checks = List.copyOf(checks);
        if (cost < 1) {
            throw new IllegalArgumentException("cost must be at least 1, not " + cost);
        }
        if (checks.isEmpty() || checks.size() > MAX_CHECKS) {
            throw new IllegalArgumentException("checks must be 1 to " + MAX_CHECKS + ", not " + checks.size());
        }
        if (checks.size() > 1 && new HashSet<>(checks).size() < checks.size()) {
            throw new IllegalArgumentException("checks must differ: each spends the cost once");
        }
    }

    /** One check, tagged by its subject. */
    public static Call of(String rule, String subject) {
        return of(List.of(new Check(rule, subject)));
    }

    /**
     * Checks of one subject, tagged by it.
     *
     * @throws IllegalArgumentException when their subjects differ: then a tag must say what they have in common
     */
    public static Call of(List<Check> checks) {
        if (checks.isEmpty()) {
            throw new IllegalArgumentException("checks must be 1 to " + MAX_CHECKS + ", not 0");
        }
        String subject = checks.getFirst().subject();
        for (Check check : checks) {
            if (!check.subject().equals(subject)) {
                throw new IllegalArgumentException("tag must be given when the subjects of the checks differ");
            }
        }
        return new Call(subject, 1, checks);
    }

    public Call costing(long units) {
        return new Call(tag, units, checks);
    }
}
