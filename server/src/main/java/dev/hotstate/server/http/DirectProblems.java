package dev.hotstate.server.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers what Helidon refuses before any route sees it (a bad request line, headers too large) like all else. */
final class DirectProblems implements DirectHandler {
    private final SecurityHeaders headers;

    private DirectProblems(SecurityHeaders headers) {
        this.headers = headers;
    }

    static DirectHandlers with(SecurityHeaders headers) {
        var handlers = DirectHandlers.builder();
        for (var event : EventType.values()) {
            handlers.addHandler(event, new DirectProblems(headers));
        }
        return handlers.build();
    }

    @Override
    public TransportResponse handle(
            TransportRequest request,
            EventType event,
            Status status,
            ServerResponseHeaders responseHeaders,
            @Nullable String message) {
        var id = Arrival.idFor(request.headers());
        // Our own failures are answered by the Dispatcher; what fails here is the reading of a malformed request.
        var told = event == EventType.INTERNAL_ERROR ? Status.BAD_REQUEST_400 : status;
        var answer = problem(told).answer("", id);
        var response = TransportResponse.builder()
                .status(Status.create(answer.status()))
                .headers(responseHeaders)
                .header(Arrival.X_REQUEST_ID, id)
                .keepAlive(false);
        headers.around(answer.headers()).forEach((name, value) -> response.header(HeaderNames.create(name), value));
        return response.entity(answer.body()).build();
    }

    /** Helidon's own words may quote the request or its insides: only the status is passed on. */
    static Problem problem(Status status) {
        return switch (status.code()) {
            case 413 -> new Problem(413, "too-large", "The body is too large.", List.of());
            case 414 -> new Problem(414, "uri-too-long", "The address is too long.", List.of());
            case 431 -> new Problem(431, "headers-too-large", "The headers are too large.", List.of());
            case 501 -> new Problem(501, "not-implemented", "Only the chunked transfer coding is known.", List.of());
            case 503 -> new Problem(503, "unavailable", "The server is busy.", List.of()).with("Retry-After", "1");
            case 505 -> new Problem(505, "http-version", "Use HTTP/1.1.", List.of());
            default -> status.code() >= 500 ? Problem.internal() : Problem.badRequest("The request is malformed.");
        };
    }
}
