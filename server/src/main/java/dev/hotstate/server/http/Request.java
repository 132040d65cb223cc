package dev.hotstate.server.http;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.hotstate.core.Durations;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A call as a handler sees it: parameters, query, body, caller. What is malformed is refused with the field's name. */
public final class Request {
    private final Arrival arrival;
    private final ServerRequest raw;
    private final Route route;
    private final List<String> values;
    private final Map<String, String> query;
    private final @Nullable Caller caller;
    private final Context context;

    /** What is the server's rather than the call's. */
    record Context(BodyReader bodies, Gate gate, WatchedConnections connections) {}

    Request(Arrival arrival, Route route, List<String> values, @Nullable Caller caller, Context context) {
        this.arrival = arrival;
        this.raw = arrival.raw();
        this.route = route;
        this.values = values;
        this.query = PercentCoding.parameters(raw.prologue().query().rawValue());
        this.caller = caller;
        this.context = context;
    }

    /** The {@code X-Request-Id} of the answer. */
    public String requestId() {
        return arrival.id();
    }

    /** Who calls; empty only on a public route. */
    public Optional<Caller> caller() {
        return Optional.ofNullable(caller);
    }

    /** Whether the caller could make this call now too: a long stream asks, in case the token was revoked. */
    public boolean isStillAllowed() {
        return context.gate.stillAdmits(arrival, route);
    }

    /**
     * Looks from now on whether the client closes its connection, and has it run then, by another thread or at once; maybe
     * long after the answer. For a call that begins to wait, in the thread that answers it. Who says that it will send
     * nothing more looks like one who has left.
     */
    public void whenGone(Runnable gone) {
        context.connections.ofThisThread().whenGone(gone);
    }

    /** Whether the call came over HTTPS to this very server. */
    public boolean isSecure() {
        return raw.isSecure();
    }

    public Optional<String> header(String name) {
        return raw.headers().first(HeaderNames.create(name));
    }

    /** What stands in the path in the place of {@code {name}}, without control characters. */
    public String path(String name) {
        return PercentCoding.printable(anyPath(name));
    }

    /** The same for what may be any text: the subject of a limit can have a line break in it. */
    public String anyPath(String name) {
        int at = route.parameters().indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException(route.path() + " has no parameter \"" + name + "\"");
        }
        return values.get(at);
    }

    /** The same, which must be an id. */
    public String id(String name) {
        return Ids.check(name, path(name));
    }

    /** A parameter of the query, without control characters. */
    public Optional<String> query(String name) {
        return anyQuery(name).map(PercentCoding::printable);
    }

    /** The same for what may be any text. */
    public Optional<String> anyQuery(String name) {
        return Optional.ofNullable(query.get(name));
    }

    public int queryInt(String name, int otherwise, int least, int most) {
        var text = query.get(name);
        if (text == null) {
            return otherwise;
        }
        var message = "must be a whole number from " + least + " to " + most;
        int value = parse(name, text, Integer::parseInt, message);
        if (value < least || value > most) {
            throw Problem.invalid(name, message);
        }
        return value;
    }

    public double queryDouble(String name, double least, double most) {
        var text = query(name).orElseThrow(() -> Problem.invalid(name, "is required"));
        var message = "must be a number from " + least + " to " + most;
        double value = parse(name, text, Double::parseDouble, message);
        // Written so that NaN is refused too.
        if (!(value >= least && value <= most)) {
            throw Problem.invalid(name, message);
        }
        return value;
    }

    /** True for {@code true} and for the bare name, false for {@code false} and when it is not there. */
    public boolean queryFlag(String name) {
        return switch (query.get(name)) {
            case null -> false;
            case "true", "" -> true;
            case "false" -> false;
            default -> throw Problem.invalid(name, "must be true or false");
        };
    }

    public Optional<Instant> queryInstant(String name) {
        return query(name)
                .map(text -> parse(name, text, Instant::parse, "must be a time such as 2026-01-31T12:00:00Z"));
    }

    public Optional<Duration> queryDuration(String name) {
        return query(name).map(text -> parse(name, text, Durations::parse, "must be a duration such as \"30s\""));
    }

    /** One of a few words. */
    public Optional<String> queryChoice(String name, List<String> choices) {
        var value = query(name).filter(text -> !text.isEmpty());
        value.ifPresent(text -> {
            if (!choices.contains(text)) {
                throw Problem.invalid(name, "must be one of " + String.join(", ", choices));
            }
        });
        return value;
    }

    /** Which part of a list is asked for. */
    public Page page() {
        return Page.of(this);
    }

    /** The JSON body as a record. */
    public <T> T body(Class<T> type) {
        return bodies().json(raw, Json.type(type));
    }

    public <T> T body(TypeReference<T> type) {
        return bodies().json(raw, Json.type(type));
    }

    /** Of a call in which there is nothing to say: no body, or an empty object. */
    public void noBody() {
        bodies().nothing(raw);
    }

    /** A submitted document: JSON or YAML. */
    public <T> T document(Class<T> type) {
        return bodies().jsonOrYaml(raw, Json.type(type));
    }

    /** The same, in which fields are passed over that answers have beside it: what was answered can be sent back. */
    public <T> T document(Class<T> type, Set<String> answered) {
        return bodies().jsonOrYaml(raw, Json.type(type), answered);
    }

    public <T> T document(TypeReference<T> type) {
        return bodies().jsonOrYaml(raw, Json.type(type));
    }

    /** A submitted document that its own readers read, from the bytes as they came. */
    public <T> T document(Function<byte[], T> json, Function<byte[], T> yaml) {
        return bodies().document(raw, json, yaml);
    }

    /** The JSON merge patch (RFC 7396) in the body: read now, applied to any present value later. */
    public <T> UnaryOperator<T> patch(Class<T> type) {
        return bodies().patch(raw, Json.type(type));
    }

    /** The body as text, whatever it is: its first bytes, in which what is not UTF-8 is replaced. */
    public String text(int mostBytes) {
        return bodies().beginning(raw, mostBytes);
    }

    private BodyReader bodies() {
        return context.bodies.of(route);
    }

    private static <T> T parse(String name, String text, Function<String, T> parser, String message) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw Problem.invalid(name, message);
        }
    }
}
