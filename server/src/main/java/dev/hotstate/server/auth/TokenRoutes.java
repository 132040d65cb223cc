package dev.hotstate.server.auth;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Role;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code /tokens}, for admins. */
public final class TokenRoutes implements Routes {
    private final Tokens tokens;
    private final InstantSource clock;

    public TokenRoutes(Tokens tokens, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public String feature() {
        return "tokens";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get("/tokens", Access.ADMIN, this::list),
                Route.post("/tokens", Access.ADMIN, this::create),
                Route.delete("/tokens/{id}", Access.ADMIN, this::revoke));
    }

    private Answer list(Request request) {
        var page = request.page();
        var found = tokens.list(page.cursor().orElse(""), page.limit() + 1);
        return Answer.ok(Listing.of(found, page, Token::id));
    }

    private Answer create(Request request) {
        var wish = request.body(Wish.class).checked(clock.instant());
        return switch (tokens.create(wish)) {
            case Creation.Created made ->
                Answer.created("/tokens/" + made.token().id(), Shown.of(made.token(), made.secret()));
            case Creation.NameTaken taken -> throw Problem.conflict("There is a token named \"" + wish.name() + "\".");
        };
    }

    private Answer revoke(Request request) {
        if (!tokens.revoke(request.id("id"))) {
            throw Problem.notFound("There is no token of this id.");
        }
        return Answer.noContent();
    }

    /** The body of a POST. */
    private record Wish(
            @Nullable String name,
            @Nullable Role role,
            @Nullable Instant expiresAt) {
        NewToken checked(Instant now) {
            var check = new Check().required(name, "name").required(role, "role");
            check.that(expiresAt == null || expiresAt.isAfter(now), "expires_at", "must be in the future");
            check.refuse();
            var wish = check.checked(
                    "", () -> new NewToken(Objects.requireNonNull(name), Objects.requireNonNull(role), expiresAt));
            check.refuse();
            return Objects.requireNonNull(wish);
        }
    }

    /** A token with its secret, shown once. */
    private record Shown(
            String id,
            String name,
            Role role,
            String token,
            Instant createdAt,
            @Nullable Instant expiresAt) {
        static Shown of(Token token, String secret) {
            return new Shown(token.id(), token.name(), token.role(), secret, token.createdAt(), token.expiresAt());
        }
    }
}
