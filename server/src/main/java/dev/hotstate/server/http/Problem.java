package dev.hotstate.server.http;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A refusal, answered as RFC 9457 {@code application/problem+json}. It says what the caller can mend, and nothing of
 * what is inside the server. It has no stack trace: it is an answer, not a fault.
 */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String slug;
    private final transient List<FieldError> errors;
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    /** @param slug the last word of the problem's {@code type}, for programs: {@code stale-fence} */
    public Problem(int status, String slug, String detail, List<FieldError> errors) {
        super(detail, null, false, false);
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("status must be 400 to 599, not " + status);
        }
        this.status = status;
        this.slug = slug;
        this.errors = List.copyOf(errors);
    }

    public static Problem badRequest(String detail) {
        return new Problem(400, "invalid", detail, List.of());
    }

    public static Problem invalid(String field, String message) {
        return invalid(List.of(new FieldError(field, message)));
    }

    public static Problem invalid(List<FieldError> errors) {
        var first = errors.getFirst();
        var detail = first.field().isEmpty() ? first.message() : first.field() + ": " + first.message();
        return new Problem(400, "invalid", detail, errors);
    }

    public static Problem unauthorized(String detail) {
        return new Problem(401, "unauthorized", detail, List.of())
                .with("WWW-Authenticate", "Bearer realm=\"hotstate\"");
    }

    public static Problem forbidden(String detail) {
        return new Problem(403, "forbidden", detail, List.of());
    }

    public static Problem notFound(String detail) {
        return new Problem(404, "not-found", detail, List.of());
    }

    public static Problem methodNotAllowed(Collection<String> allowed) {
        var allow = String.join(", ", allowed);
        return new Problem(405, "method-not-allowed", "This path answers " + allow + ".", List.of())
                .with("Allow", allow);
    }

    public static Problem conflict(String detail) {
        return new Problem(409, "conflict", detail, List.of());
    }

    /** A claim, lease or reservation that somebody else holds by now; nothing was changed. */
    public static Problem staleFence(String detail) {
        return new Problem(409, "stale-fence", detail, List.of());
    }

    public static Problem tooLarge(long limit) {
        return new Problem(413, "too-large", "A body is at most " + limit + " bytes here.", List.of());
    }

    public static Problem unsupportedMediaType(String accepted) {
        return new Problem(415, "unsupported-media-type", "Send the body as " + accepted + ".", List.of())
                .with("Accept", accepted);
    }

    public static Problem tooManyRequests(String detail, Duration retryAfter) {
        return new Problem(429, "too-many-requests", detail, List.of()).retryAfter(retryAfter);
    }

    public static Problem unavailable(String detail, Duration retryAfter) {
        return new Problem(503, "unavailable", detail, List.of()).retryAfter(retryAfter);
    }

    static Problem timeout() {
        return new Problem(408, "timeout", "The body did not arrive in time.", List.of()).with("Connection", "close");
    }

    static Problem internal() {
        var detail = "Something went wrong on our side. The server's log has it under this request id.";
        return new Problem(500, "internal", detail, List.of());
    }

    /** Adds a header to the answer. */
    public Problem with(String name, String value) {
        headers.put(name, value);
        return this;
    }

    private Problem retryAfter(Duration wait) {
        return with(
                "Retry-After", String.valueOf(Math.max(1, wait.plusMillis(999).toSeconds())));
    }

    public int status() {
        return status;
    }

    public List<FieldError> errors() {
        return errors;
    }

    Answer answer(String instance, String requestId) {
        var body = new LinkedHashMap<String, Object>();
        body.put("type", "urn:hotstate:problem:" + slug);
        body.put("title", title(status));
        body.put("status", status);
        body.put("detail", getMessage());
        if (!instance.isEmpty()) {
            body.put("instance", instance);
        }
        if (!errors.isEmpty()) {
            body.put("errors", errors);
        }
        body.put("request_id", requestId);
        var answer = Answer.of(status, "application/problem+json", Json.bytes(body));
        for (var header : headers.entrySet()) {
            answer = answer.with(header.getKey(), header.getValue());
        }
        return answer;
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "Bad request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not found";
            case 405 -> "Method not allowed";
            case 408 -> "Request timeout";
            case 409 -> "Conflict";
            case 412 -> "Precondition failed";
            case 413 -> "Content too large";
            case 414 -> "URI too long";
            case 415 -> "Unsupported media type";
            case 429 -> "Too many requests";
            case 431 -> "Request header fields too large";
            case 500 -> "Internal server error";
            case 501 -> "Not implemented";
            case 503 -> "Service unavailable";
            case 505 -> "HTTP version not supported";
            default -> status < 500 ? "Refused" : "Failed";
        };
    }
}
