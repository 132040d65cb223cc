package dev.hotstate.limits;

/**
 * How a denied request is answered over HTTP: RFC 9457 {@code application/problem+json}.
 *
 * @param status 429, or 503 when no limit was reached but Redis is away and a rule is closed then
 */
public record Refusal(int status, String body) {
    public static final String CONTENT_TYPE = "application/problem+json";

    public static Refusal of(Decision.Denied denied) {
        return denied.isClosed()
                ? refusal(503, "Service Unavailable", "Limits cannot be checked now.")
                : refusal(429, "Too Many Requests", "The limit is reached.");
    }

    private static Refusal refusal(int status, String title, String detail) {
        return new Refusal(
                status,
                "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
                        .formatted(title, status, detail));
    }
}
