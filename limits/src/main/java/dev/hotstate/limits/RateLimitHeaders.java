package dev.hotstate.limits;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The headers of the IETF's draft "RateLimit header fields for HTTP": one entry for each rule, and {@code Retry-After}
 * with a denial. Rules in shadow are not told: they limit nobody. Seconds are rounded up: whoever waits so long is not too early.
 */
public final class RateLimitHeaders {
    /** Without Redis nobody knows when a closed rule opens: as soon as Redis is back. */
    private static final Duration CLOSED = Duration.ofSeconds(1);

    private RateLimitHeaders() {}

    /** By name, in the order in which they are written. */
    public static Map<String, String> of(Decision decision) {
        Map<String, String> headers = new LinkedHashMap<>();
        Collection<Verdict> rules = tightest(decision);
        if (!rules.isEmpty()) {
            headers.put("RateLimit", joined(rules, RateLimitHeaders::state));
            headers.put("RateLimit-Policy", joined(rules, RateLimitHeaders::policy));
        }
        if (decision instanceof Decision.Denied denied) {
            headers.put("Retry-After", String.valueOf(Math.max(1, seconds(retryAfter(denied)))));
        }
        return headers;
    }

    /** When to come back; what a client is told in whole seconds. */
    public static Duration retryAfter(Decision.Denied denied) {
        return denied.isClosed() ? CLOSED : denied.retryAfter();
    }

    /** A denial from memory knows for sure of the rules that denied; Redis knows of all. */
    private static boolean isTold(Verdict verdict, Decision decision) {
        return decision.isAllowed() || !verdict.allowed() || verdict.decidedBy() == DecidedBy.REDIS;
    }

    /** Of a rule that was checked for several subjects, the one with the least left. */
    private static Collection<Verdict> tightest(Decision decision) {
        return decision.verdicts().stream()
                .filter(verdict -> !verdict.rule().shadow() && isTold(verdict, decision))
                .collect(Collectors.toMap(
                        verdict -> verdict.rule().id(),
                        Function.identity(),
                        (one, other) -> one.remaining() <= other.remaining() ? one : other,
                        LinkedHashMap::new))
                .values();
    }

    private static String joined(Collection<Verdict> verdicts, Function<Verdict, String> entry) {
        return verdicts.stream().map(entry).collect(Collectors.joining(", "));
    }

    private static String state(Verdict verdict) {
        return "\"%s\";r=%d;t=%d".formatted(verdict.rule().id(), verdict.remaining(), seconds(verdict.resetAfter()));
    }

    private static String policy(Verdict verdict) {
        Rule rule = verdict.rule();
        return "\"%s\";q=%d;w=%d".formatted(rule.id(), rule.limit(), Math.max(1, seconds(rule.window())));
    }

    private static long seconds(Duration duration) {
        return duration.plusNanos(999_999_999).toSeconds();
    }
}
