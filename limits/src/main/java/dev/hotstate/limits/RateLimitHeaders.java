package dev.hotstate.limits;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A decision as the IETF's {@code RateLimit} header fields tell it (draft-ietf-httpapi-ratelimit-headers), and
 * {@code Retry-After}. Rules in shadow are not told: they limit nobody.
 */
public final class RateLimitHeaders {
    private RateLimitHeaders() {}

    /** By name, in the order in which they are written; times are whole seconds, rounded up. */
    public static Map<String, String> of(Decision decision) {
        Map<String, String> headers = new LinkedHashMap<>();
        List<Verdict> told = decision.verdicts().stream()
                .filter(verdict -> !verdict.rule().shadow())
                .toList();
        if (!told.isEmpty()) {
            headers.put("RateLimit", joined(told, RateLimitHeaders::state));
            headers.put("RateLimit-Policy", joined(told, RateLimitHeaders::policy));
        }
        if (!decision.isAllowed()) {
            headers.put("Retry-After", String.valueOf(Math.max(1, seconds(decision.retryAfter()))));
        }
        return headers;
    }

    private static String state(Verdict verdict) {
        return "\"%s\";r=%d;t=%d".formatted(verdict.rule().id(), verdict.remaining(), seconds(verdict.resetAfter()));
    }

    private static String policy(Verdict verdict) {
        Rule rule = verdict.rule();
        return "\"%s\";q=%d;w=%d".formatted(rule.id(), rule.limit(), seconds(rule.window()));
    }

    private static String joined(List<Verdict> verdicts, Function<Verdict, String> item) {
        return verdicts.stream().map(item).collect(Collectors.joining(", "));
    }

    private static long seconds(Duration duration) {
        return duration.plusNanos(999_999_999).toSeconds();
    }
}
