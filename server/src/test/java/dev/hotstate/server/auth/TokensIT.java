package dev.hotstate.server.auth;

import static dev.hotstate.server.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.HttpOptions;
import dev.hotstate.server.http.HttpServer;
import dev.hotstate.server.http.Role;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.TestServer;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(Testkit.class)
class TokensIT {
    private static final AtomicReference<Instant> NOW = new AtomicReference<>(Instant.parse("2026-01-31T12:00:00Z"));
    private static final InstantSource CLOCK = NOW::get;
    private static Database database;
    private static Tokens tokens;
    private static TestServer server;

    @BeforeAll
    static void start(PostgresDatabase postgres) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()));
        database.migrate(List.of(MigrationSet.of("server")));
        tokens = Tokens.in(database, CLOCK);
        server = new TestServer(HttpServer.start(
                HttpOptions.onLoopback(0).withTokensRequired(),
                List.of(new TokenRoutes(tokens, CLOCK), new SessionRoutes(tokens, CLOCK), oneOfEach()),
                tokens,
                HttpServer.Hooks.NONE));
    }

    private static Routes oneOfEach() {
        return TestServer.routes(
                Route.get(
                        "/public",
                        Access.PUBLIC,
                        request -> Answer.ok(request.caller().isPresent())),
                Route.get("/read", Access.VIEWER, request -> Answer.noContent()),
                Route.post("/write", Access.OPERATOR, request -> Answer.noContent()),
                Route.post("/work", Access.OPERATOR_OR_AGENT, request -> Answer.noContent()),
                Route.get("/look", Access.VIEWER_OR_AGENT, request -> Answer.noContent()),
                Route.post("/rule", Access.ADMIN, request -> Answer.noContent()));
    }

    @AfterAll
    static void stop() {
        server.close();
        database.close();
    }

    @ParameterizedTest
    @CsvSource({
        "admin,    204, 204, 204, 204, 204",
        "operator, 204, 204, 204, 204, 403",
        "viewer,   204, 403, 403, 204, 403",
        "agent,    403, 403, 204, 204, 403",
    })
    void aRoleAllowsWhatItSaysAndNothingElse(String role, int read, int write, int work, int look, int rule) {
        var bearer = "Bearer " + secretOf("roles-" + role, Role.of(role));
        assertThat(server.get("/read", "Authorization", bearer).statusCode()).isEqualTo(read);
        assertThat(server.call("POST", "/write", "", "Authorization", bearer).statusCode())
                .isEqualTo(write);
        assertThat(server.call("POST", "/work", "", "Authorization", bearer).statusCode())
                .isEqualTo(work);
        assertThat(server.get("/look", "Authorization", bearer).statusCode()).isEqualTo(look);
        assertThat(server.call("POST", "/rule", "", "Authorization", bearer).statusCode())
                .isEqualTo(rule);
    }

    @Test
    void withoutATokenOnlyThePublicIsOpen() {
        assertThat(server.get("/public").body()).isEqualTo("false");
        var answer = server.get("/read");
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"hotstate\"");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer hs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "Bearer nonsense",
                "Bearer",
                "Basic YTpi",
                "Bearer hs_' OR 1=1 --",
            })
    void aWrongTokenIsRefused(String authorization) {
        assertThat(server.get("/read", "Authorization", authorization).statusCode())
                .isEqualTo(401);
    }

    @Test
    void anExpiredTokenIsRefused() {
        var made = (Creation.Created)
                tokens.create(new NewToken("expiring", Role.VIEWER, NOW.get().plus(1, ChronoUnit.HOURS)));
        var bearer = "Bearer " + made.secret();
        assertThat(server.get("/read", "Authorization", bearer).statusCode()).isEqualTo(204);
        NOW.updateAndGet(now -> now.plus(2, ChronoUnit.HOURS));
        assertThat(server.get("/read", "Authorization", bearer).statusCode()).isEqualTo(401);
    }

    @Test
    void aTokenMadeOverHttpWorksUntilItIsRevoked() {
        var admin = "Bearer " + secretOf("maker", Role.ADMIN);
        var made = post("/tokens", admin, "{\"name\":\"ci\",\"role\":\"viewer\"}");
        assertThat(made.statusCode()).isEqualTo(201);
        var id = tree(made).path("id").asText();
        assertThat(made.headers().firstValue("Location")).contains("/tokens/" + id);
        var bearer = "Bearer " + tree(made).path("token").asText();
        assertThat(server.get("/read", "Authorization", bearer).statusCode()).isEqualTo(204);

        assertThat(server.call("DELETE", "/tokens/" + id, "", "Authorization", admin)
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.get("/read", "Authorization", bearer).statusCode()).isEqualTo(401);
        assertThat(server.call("DELETE", "/tokens/" + id, "", "Authorization", admin)
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aListOfTokensIsPagedAndShowsNoSecret() {
        var secret = secretOf("listed", Role.ADMIN);
        secretOf("listed-too", Role.VIEWER);
        var first = server.get("/tokens?limit=1", "Authorization", "Bearer " + secret);
        assertThat(tree(first).path("items").size()).isEqualTo(1);
        var cursor = tree(first).path("next_cursor").asText();
        var second = server.get("/tokens?limit=1000&cursor=" + cursor, "Authorization", "Bearer " + secret);
        assertThat(tree(second).path("next_cursor").isNull()).isTrue();
        assertThat(first.body() + second.body())
                .contains("\"name\":\"listed\"")
                .contains("\"name\":\"listed-too\"")
                .doesNotContain("hs_")
                .doesNotContain("hash");
    }

    @Test
    void aTokenIsKeptOnlyAsItsHash() {
        var secret = secretOf("hashed", Role.VIEWER);
        var rows = database.withHandle(handle -> handle.createQuery("SELECT t::text FROM api_token t")
                .mapTo(String.class)
                .list());
        assertThat(rows).isNotEmpty().noneMatch(row -> row.contains(secret.substring(3)));
    }

    @Test
    void aSecondTokenOfTheSameNameIsAConflict() {
        var admin = "Bearer " + secretOf("namer", Role.ADMIN);
        assertThat(post("/tokens", admin, "{\"name\":\"namer\",\"role\":\"viewer\"}")
                        .statusCode())
                .isEqualTo(409);
    }

    @Test
    void aBadWishForATokenNamesEveryField() {
        var admin = "Bearer " + secretOf("checker", Role.ADMIN);
        var answer = post("/tokens", admin, "{\"name\":\" \",\"expires_at\":\"2020-01-01T00:00:00Z\"}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(tree(answer).path("errors").toString())
                .isEqualTo("[{\"field\":\"name\",\"message\":\"is required\"},"
                        + "{\"field\":\"role\",\"message\":\"is required\"},"
                        + "{\"field\":\"expires_at\",\"message\":\"must be in the future\"}]");
        assertThat(post("/tokens", admin, "{\"name\":\"" + "x".repeat(101) + "\",\"role\":\"viewer\"}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void onlyAnAdminSeesTokens() {
        var operator = "Bearer " + secretOf("curious", Role.OPERATOR);
        assertThat(server.get("/tokens", "Authorization", operator).statusCode())
                .isEqualTo(403);
        assertThat(post("/tokens", operator, "{\"name\":\"x\",\"role\":\"admin\"}")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void aSessionIsOpenedByATokenAndEndedByItsHolder() {
        var opened = signIn(secretOf("browser", Role.OPERATOR));
        assertThat(opened.statusCode()).isEqualTo(200);
        assertThat(tree(opened).path("role").asText()).isEqualTo("operator");
        var setCookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(setCookie)
                .contains("; HttpOnly")
                .contains("; SameSite=Strict")
                .contains("; Path=/")
                .doesNotContain("Secure");
        var cookie = setCookie.substring(0, setCookie.indexOf(';'));

        assertThat(tree(server.get("/session", "Cookie", cookie)).path("role").asText())
                .isEqualTo("operator");
        assertThat(server.get("/read", "Cookie", "other=1; " + cookie).statusCode())
                .isEqualTo(204);
        assertThat(server.call("POST", "/rule", "", "Cookie", cookie).statusCode())
                .isEqualTo(403);

        var ended = server.call("DELETE", "/session", "", "Cookie", cookie);
        assertThat(ended.statusCode()).isEqualTo(204);
        assertThat(ended.headers().firstValue("Set-Cookie"))
                .hasValueSatisfying(value -> assertThat(value).contains("Max-Age=0"));
        assertThat(server.get("/read", "Cookie", cookie).statusCode()).isEqualTo(401);
        assertThat(server.get("/session", "Cookie", cookie).statusCode()).isEqualTo(401);
    }

    @Test
    void revokingATokenEndsItsSessions() {
        var made = (Creation.Created) tokens.create(new NewToken("doomed", Role.VIEWER, null));
        var cookie = cookie(signIn(made.secret()));
        assertThat(server.get("/read", "Cookie", cookie).statusCode()).isEqualTo(204);
        tokens.revoke(made.token().id());
        assertThat(server.get("/read", "Cookie", cookie).statusCode()).isEqualTo(401);
    }

    @Test
    void aSessionEndsByItself() {
        var cookie = cookie(signIn(secretOf("sleeper", Role.VIEWER)));
        NOW.updateAndGet(now -> now.plus(13, ChronoUnit.HOURS));
        assertThat(server.get("/read", "Cookie", cookie).statusCode()).isEqualTo(401);
    }

    @Test
    void aTokenIsNoCookieAndACookieNoToken() {
        var secret = secretOf("mixer", Role.VIEWER);
        var cookie = cookie(signIn(secret));
        assertThat(server.get("/read", "Cookie", "hotstate_session=" + secret).statusCode())
                .isEqualTo(401);
        assertThat(server.get("/read", "Authorization", "Bearer " + cookie.substring(cookie.indexOf('=') + 1))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void signingInWithAWrongTokenIsRefused() {
        assertThat(signIn("hs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").statusCode())
                .isEqualTo(401);
        assertThat(server.json("POST", "/session", "{}").statusCode()).isEqualTo(400);
    }

    @Test
    void aTokenThatSignsInAgainAndAgainKeepsTwentySessions() {
        var made = (Creation.Created) tokens.create(new NewToken("restless", Role.VIEWER, null));
        for (int i = 0; i < 25; i++) {
            tokens.open(made.secret()).orElseThrow();
        }
        var sessions = database.withHandle(
                handle -> handle.createQuery("SELECT count(*) FROM api_session WHERE token_id = :id")
                        .bind("id", made.token().id())
                        .mapTo(int.class)
                        .one());
        assertThat(sessions).isEqualTo(20);
    }

    @Test
    void theLastUseOfATokenIsNoted() {
        var made = (Creation.Created) tokens.create(new NewToken("used", Role.VIEWER, null));
        assertThat(tokens.byToken(made.secret())).isPresent();
        // Making another one lets the next look-up read PostgreSQL again, which is when uses are written.
        secretOf("used-too", Role.VIEWER);
        assertThat(tokens.byToken(made.secret())).isPresent();
        assertThat(tokens.list("", 1000))
                .filteredOn(token -> token.name().equals("used"))
                .singleElement()
                .satisfies(token -> assertThat(token.lastUsedAt()).isEqualTo(NOW.get()));
    }

    @Test
    void theCookieOfAStrangersPageIsOfNoUse() {
        var cookie = cookie(signIn(secretOf("victim", Role.ADMIN)));
        var answer = server.call("POST", "/rule", "", "Cookie", cookie, "Origin", "https://evil.example");
        assertThat(answer.statusCode()).isEqualTo(403);
    }

    private static String secretOf(String name, Role role) {
        return ((Creation.Created) tokens.create(new NewToken(name, role, null))).secret();
    }

    private static HttpResponse<String> signIn(String token) {
        return server.json("POST", "/session", "{\"token\":\"" + token + "\"}");
    }

    private static String cookie(HttpResponse<String> opened) {
        var setCookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
        return setCookie.substring(0, setCookie.indexOf(';'));
    }

    private static HttpResponse<String> post(String path, String bearer, String body) {
        return server.call("POST", path, body, "Authorization", bearer, "Content-Type", "application/json");
    }
}
