package dev.hotstate.server.auth;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Role;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.SessionCookie;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code /session}: a browser shows its token once and gets a cookie that no script can read. */
public final class SessionRoutes implements Routes {
    private final Tokens tokens;
    private final InstantSource clock;

    public SessionRoutes(Tokens tokens, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public String feature() {
        return "session";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.post("/session", Access.PUBLIC, this::open),
                Route.get("/session", Access.SIGNED_IN, this::show),
                Route.delete("/session", Access.PUBLIC, this::end));
    }

    private Answer open(Request request) {
        var token = request.body(SignIn.class).checked();
        var session =
                tokens.open(token).orElseThrow(() -> Problem.unauthorized("The token is unknown, expired or revoked."));
        var caller = session.caller();
        var life = Duration.between(clock.instant(), session.expiresAt());
        return Answer.ok(new Shown(caller.role(), caller.name(), session.expiresAt()))
                .with("Set-Cookie", SessionCookie.set(session.cookie(), life, request.isSecure()));
    }

    private Answer show(Request request) {
        var caller = request.caller().orElseThrow();
        return Answer.ok(new Shown(caller.role(), caller.name(), null));
    }

    private Answer end(Request request) {
        SessionCookie.in(request.header("Cookie").orElse("")).ifPresent(tokens::end);
        return Answer.noContent().with("Set-Cookie", SessionCookie.set("", Duration.ZERO, request.isSecure()));
    }

    private record SignIn(@Nullable String token) {
        String checked() {
            new Check().required(token, "token").refuse();
            return Objects.requireNonNull(token);
        }
    }

    /** Who is signed in; the end is told when the session is opened. */
    private record Shown(Role role, String name, @Nullable Instant expiresAt) {}
}
