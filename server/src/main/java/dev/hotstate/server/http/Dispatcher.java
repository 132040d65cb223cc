package dev.hotstate.server.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * The way of every request: its id, who sent it, which route, the answer or the problem, headers, the log line, the
 * observers. The one place where errors become answers.
 */
final class Dispatcher implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final String UNMATCHED = "unmatched";
    // A crowd at the door must not make an orchestrator think that the server is ill.
    private static final String PROBES = "/health/";
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");
    // A client that takes longer to read an answer is cut; streams guard their own writes.
    private static final Duration LONGEST_WRITE = Duration.ofSeconds(60);

    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(5);

    private final RouteTable table;
    private final Gate gate;
    private final Request.Context context;
    private final Watchdog watchdog;
    private final AnswerExtras extras;

    /** What is the same for every answer, whatever the request. */
    record AnswerExtras(SecurityHeaders headers, HttpServer.Hooks hooks) {}

    Dispatcher(RouteTable table, Request.Context context, Watchdog watchdog, AnswerExtras extras) {
        this.table = table;
        this.gate = context.gate();
        this.context = context;
        this.watchdog = watchdog;
        this.extras = extras;
    }

    @Override
    public void handle(ServerRequest raw, ServerResponse response) throws IOException, InterruptedException {
        var arrival = Arrival.of(raw);
        var matched = new String[] {UNMATCHED};
        int status = 500;
        extras.hooks().observers().forEach(observer -> observer.arrived(arrival.isFromLoopback()));
        MDC.put("request_id", arrival.id());
        try {
            var answer = answerOrProblem(arrival, matched);
            status = answer.status();
            writeOrUndo(arrival, answer, response);
            closeIfAsked(arrival, response);
        } finally {
            observe(arrival, matched[0], status);
            MDC.remove("request_id");
        }
    }

    private Answer answerOrProblem(Arrival arrival, String[] matched) {
        try {
            return answer(arrival, matched);
        } catch (CloseConnectionException e) {
            // The client is gone: there is nobody to answer.
            throw e;
        } catch (Throwable e) {
            return problem(e).answer(arrival.path(), arrival.id());
        }
    }

    private Answer answer(Arrival arrival, String[] matched) throws Exception {
        gate.refuseStrangers(arrival);
        var match = table.match(PercentCoding.segments(arrival.path()))
                .orElseThrow(() -> Problem.notFound("There is nothing at this path."));
        var method = arrival.method();
        var route = match.route(method).orElse(null);
        if (route == null) {
            matched[0] = match.routes().values().iterator().next().template();
            if (method.equals("OPTIONS")) {
                return Answer.noContent().with("Allow", String.join(", ", match.allowed()));
            }
            throw Problem.methodNotAllowed(match.allowed());
        }
        matched[0] = route.template();
        var caller = admitted(arrival, route);
        return route.handler().answer(new Request(arrival, route, match.values(), caller, context));
    }

    /** Who may call; whoever tries many bad tokens is limited by where he comes from. */
    private @Nullable Caller admitted(Arrival arrival, Route route) {
        Caller caller = null;
        try {
            caller = gate.admit(arrival, route).orElse(null);
            return caller;
        } finally {
            if (!route.path().startsWith(PROBES)) {
                for (var admission : extras.hooks().admissions()) {
                    admission.admit(caller, arrival.address());
                }
            }
        }
    }

    /** One place for all that goes wrong. What nobody foresaw is logged in full and told as nothing but an id. */
    private Problem problem(Throwable failure) {
        if (failure instanceof Problem problem) {
            return problem;
        }
        if (failure instanceof RequestException refused) {
            return DirectProblems.problem(refused.status()).with("Connection", "close");
        }
        if (failure instanceof InterruptedException) {
            return Problem.unavailable("The server is stopping.", Duration.ofSeconds(1))
                    .with("Connection", "close");
        }
        for (var mapping : extras.hooks().failures()) {
            var problem = mapping.problem(failure);
            if (problem.isPresent()) {
                LOG.atLevel(problem.get().status() < 500 ? Level.DEBUG : Level.WARN)
                        .log("Answered {}: {}", problem.get().status(), failure.toString());
                return problem.get();
            }
        }
        LOG.error("A request failed", failure);
        return Problem.internal();
    }

    private void writeOrUndo(Arrival arrival, Answer answer, ServerResponse response)
            throws IOException, InterruptedException {
        try {
            write(arrival, answer, response);
        } catch (IOException | RuntimeException gone) {
            undo(answer, gone);
            throw gone;
        }
    }

    private static void undo(Answer answer, Exception gone) {
        // The watchdog may have interrupted this thread to cut a slow client; what is undone must not be cut too.
        boolean interrupted = Thread.interrupted();
        try {
            answer.undelivered();
        } catch (RuntimeException failed) {
            gone.addSuppressed(failed);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void write(Arrival arrival, Answer answer, ServerResponse response)
            throws IOException, InterruptedException {
        response.status(Status.create(answer.status()));
        extras.headers().around(answer.headers()).forEach((name, value) -> response.header(name, value));
        response.header(Arrival.X_REQUEST_ID, arrival.id());
        var stream = answer.stream();
        if (arrival.raw().prologue().method().equals(Method.HEAD)) {
            if (stream == null && hasBody(answer)) {
                response.header(HeaderNames.CONTENT_LENGTH, String.valueOf(answer.body().length));
            }
            response.send();
        } else if (stream != null) {
            // A stream ends with its connection, so that nobody waits for an end that was cut.
            response.header(HeaderValues.CONNECTION_CLOSE);
            try (var out = new GuardedOutput(response.outputStream(), watchdog)) {
                stream.writeTo(out);
            }
        } else {
            var guard = watchdog.within(LONGEST_WRITE);
            try {
                send(answer, response);
            } finally {
                guard.close();
            }
        }
    }

    /** Helidon says {@code Connection: close} and then goes on waiting; this keeps the word. */
    private void closeIfAsked(Arrival arrival, ServerResponse response) {
        boolean ours = response.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
        if (ours || arrival.raw().headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            if (response instanceof RoutingResponse started) {
                started.commit();
            }
            drain(arrival.raw());
            throw new CloseConnectionException("This connection was to be closed after its answer");
        }
    }

    /** Closing over a body that was not read would reset the connection, and the client might lose its answer. */
    private void drain(ServerRequest raw) {
        if (raw.content().consumed() || raw.headers().containsToken(HeaderValues.EXPECT_100)) {
            return;
        }
        var guard = watchdog.within(LONGEST_DRAIN);
        try {
            raw.content().consume();
        } catch (RuntimeException e) {
            LOG.debug("The rest of a body was not read: {}", e.toString());
        } finally {
            guard.close();
        }
    }

    private static void send(Answer answer, ServerResponse response) {
        if (hasBody(answer)) {
            response.send(answer.body());
        } else {
            response.send();
        }
    }

    private static boolean hasBody(Answer answer) {
        return answer.status() != 204 && answer.status() != 304;
    }

    private void observe(Arrival arrival, String route, int status) {
        var took = Duration.ofNanos(System.nanoTime() - arrival.startedAt());
        var method = METHODS.contains(arrival.method()) ? arrival.method() : "OTHER";
        LOG.debug("{} {} {} in {} us", method, arrival.path(), status, took.toNanos() / 1000);
        var answered = new RequestObserver.Answered(method, route, status, took, arrival.isFromLoopback());
        for (var observer : extras.hooks().observers()) {
            observer.answered(answered);
        }
    }
}
