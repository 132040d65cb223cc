package dev.hotstate.server.http;

import static dev.hotstate.server.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemsIT {
    private static final List<String> OBSERVED = new CopyOnWriteArrayList<>();
    private static TestServer server;

    private static final class PartIsAway extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @BeforeAll
    static void start() {
        var routes = TestServer.routes(
                Route.get("/things/{id}", Access.VIEWER, request -> Answer.ok(new Thing(request.id("id"), null))),
                Route.put("/things/{id}", Access.OPERATOR, request -> Answer.noContent()),
                Route.post("/things", Access.OPERATOR, request -> {
                    throw Problem.conflict("There is one already.");
                }),
                Route.get("/broken", Access.VIEWER, request -> {
                    throw new IllegalStateException("secret insides");
                }),
                Route.get("/away", Access.VIEWER, request -> {
                    throw new PartIsAway();
                }),
                Route.get("/limited", Access.VIEWER, request -> {
                    throw Problem.tooManyRequests("Slower.", Duration.ofMillis(1500));
                }),
                Route.get(
                        "/list",
                        Access.VIEWER,
                        request -> Answer.ok(new Listing<>(
                                List.of(request.page().limit()),
                                request.page().cursor().orElse(null)))));
        FailureMapping away = failure -> failure instanceof PartIsAway
                ? Optional.of(Problem.unavailable("A part is away.", Duration.ofSeconds(3)))
                : Optional.empty();
        RequestObserver observer =
                request -> OBSERVED.add(request.method() + " " + request.route() + " " + request.status());
        server = new TestServer(HttpServer.start(
                HttpOptions.onLoopback(0),
                List.of(routes),
                Authenticator.none(),
                new HttpServer.Hooks(List.of(observer), List.of(), List.of(away))));
    }

    private record Thing(String id, String note) {}

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void anUnknownPathIsNotFound() {
        var answer = server.get("/nothing/here");
        assertProblem(answer, 404);
        assertThat(tree(answer).path("instance").asText()).isEqualTo("/nothing/here");
    }

    @Test
    void aWrongMethodSaysWhichAreRight() {
        var answer = server.call("DELETE", "/things/a", "");
        assertProblem(answer, 405);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS, PUT");
    }

    @Test
    void anUnheardOfMethodIsRefusedTheSameWay() {
        var answer = server.raw(
                "BREW /things/a HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 405 ").contains("application/problem+json");
    }

    @Test
    void optionsAnswersAllow() {
        var answer = server.call("OPTIONS", "/things/a", "");
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS, PUT");
    }

    @Test
    void headAnswersLikeGetWithoutTheBody() {
        var get = server.get("/things/a");
        var head = server.call("HEAD", "/things/a", "");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length"))
                .contains(String.valueOf(get.body().length()));
        assertThat(head.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void nullsAreWritten() {
        assertThat(server.get("/things/a").body()).isEqualTo("{\"id\":\"a\",\"note\":null}");
    }

    @Test
    void aConflictIsToldAsSuch() {
        var answer = server.json("POST", "/things", "{}");
        assertProblem(answer, 409);
        assertThat(tree(answer).path("detail").asText()).isEqualTo("There is one already.");
        assertThat(tree(answer).path("type").asText()).isEqualTo("urn:hotstate:problem:conflict");
    }

    @Test
    void whatNobodyForesawShowsNothingOfTheInside() {
        var answer = server.get("/broken");
        assertProblem(answer, 500);
        assertThat(answer.body())
                .doesNotContain("secret")
                .doesNotContain("IllegalState")
                .doesNotContain("at dev.");
    }

    @Test
    void aPartThatIsAwayIsTemporary() {
        var answer = server.get("/away");
        assertProblem(answer, 503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("3");
    }

    @Test
    void retryAfterIsRoundedUpToWholeSeconds() {
        var answer = server.get("/limited");
        assertProblem(answer, 429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("2");
    }

    @Test
    void aRequestIdIsGivenAndASaneOneIsKept() {
        var made = server.get("/things/a").headers().firstValue("X-Request-Id");
        assertThat(made).hasValueSatisfying(id -> assertThat(id).matches("[0-9a-f]{32}"));
        assertThat(server.get("/things/a", "X-Request-Id", "trace-1.b")
                        .headers()
                        .firstValue("X-Request-Id"))
                .contains("trace-1.b");
        var mad = server.get("/nothing", "X-Request-Id", "<script>").headers().firstValue("X-Request-Id");
        assertThat(mad).hasValueSatisfying(id -> assertThat(id).matches("[0-9a-f]{32}"));
    }

    @Test
    void aProblemCarriesTheRequestIdOfItsAnswer() {
        var answer = server.get("/nothing", "X-Request-Id", "trace-2");
        assertThat(tree(answer).path("request_id").asText()).isEqualTo("trace-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1001", "-1", "ten", "", "99999999999"})
    void aLimitOutOfRangeIsRefused(String limit) {
        var answer = server.get("/list?limit=" + limit);
        assertProblem(answer, 400);
        assertThat(tree(answer).at("/errors/0/field").asText()).isEqualTo("limit");
    }

    @Test
    void aListTakesLimitAndCursor() {
        assertThat(server.get("/list").body()).isEqualTo("{\"items\":[50],\"next_cursor\":null}");
        assertThat(server.get("/list?limit=1000&cursor=a%2Fb").body())
                .isEqualTo("{\"items\":[1000],\"next_cursor\":\"a/b\"}");
    }

    @Test
    void aParameterGivenTwiceIsRefused() {
        assertProblem(server.get("/list?limit=5&limit=6"), 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%20b", "%C3%A9", "a%2Fb", "%3Cscript%3E"})
    void whatCannotBeAnIdIsRefused(String id) {
        var answer = server.get("/things/" + id);
        assertProblem(answer, 400);
        assertThat(tree(answer).at("/errors/0/field").asText()).isEqualTo("id");
    }

    @Test
    void anIdIsAtMost64Long() {
        assertThat(server.get("/things/" + "a".repeat(64)).statusCode()).isEqualTo(200);
        assertProblem(server.get("/things/" + "a".repeat(65)), 400);
    }

    @Test
    void aWordOfTheApiIsNoId() {
        assertProblem(server.get("/things/summary"), 400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /things/%zz HTTP/1.1",
                "GET /things/%2 HTTP/1.1",
                "GET /things/%ff HTTP/1.1",
                "GET /things/%00 HTTP/1.1",
                "GET /things/%0a HTTP/1.1",
                "GET /things/.. HTTP/1.1",
                "GET /things/%2e%2e HTTP/1.1",
                "GET /list?limit=%zz HTTP/1.1",
                "GET /list?limit=%ff HTTP/1.1",
                "GET /list?cursor=%0a HTTP/1.1",
                "GET things HTTP/1.1",
                "GET  HTTP/1.1",
                "G@T /list HTTP/1.1",
            })
    void aMalformedRequestIsABadRequest(String line) {
        var answer = server.raw(line + "\r\nHost: localhost:" + server.port() + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertRawProblem(answer);
    }

    @Test
    void anAddressThatIsNotPercentEncodedIsToldSo() {
        var answer = server.rawGet("/things/é", "localhost:" + server.port());
        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("not percent-encoded");
    }

    @Test
    void headersThatAreTooLargeAreRefused() {
        var answer = server.raw("GET /list HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\nX-Big: "
                + "x".repeat(20_000) + "\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 4");
        assertRawProblem(answer);
    }

    @Test
    void anAddressThatIsTooLongIsRefused() {
        var answer = server.raw("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 414 ");
        assertRawProblem(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Content-Length: -1\r\n",
                "Content-Length: abc\r\n",
                "Content-Length: 5\r\nContent-Length: 6\r\n",
                "Transfer-Encoding: gzip\r\n",
                " folded: header\r\n",
                "Bad Header: x\r\n",
            })
    void ambiguousFramingIsRefusedAndTheConnectionClosed(String headers) {
        var answer = server.raw(
                "PUT /things/a HTTP/1.1\r\nHost: localhost:" + server.port() + "\r\n" + headers + "\r\n0\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertRawProblem(answer);
    }

    @Test
    void everyAnswerHasTheSecurityHeaders() {
        for (var path : List.of("/things/a", "/nothing", "/broken")) {
            var headers = server.get(path).headers();
            assertThat(headers.firstValue("Content-Security-Policy"))
                    .contains("default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
            assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
            assertThat(headers.firstValue("Cross-Origin-Resource-Policy")).contains("same-origin");
            assertThat(headers.firstValue("Cross-Origin-Opener-Policy")).contains("same-origin");
            assertThat(headers.firstValue("Cache-Control")).contains("no-store");
            assertThat(headers.firstValue("Strict-Transport-Security")).isEmpty();
        }
    }

    @Test
    void observersSeeTemplatesAndNeverIds() {
        server.get("/things/seen-1");
        server.get("/nothing/seen-2");
        server.call("DELETE", "/things/seen-3", "");
        assertThat(new ArrayList<>(OBSERVED))
                .contains("GET /things/{id} 200", "GET unmatched 404", "DELETE /things/{id} 405")
                .noneMatch(line -> line.contains("seen"));
    }

    private static void assertProblem(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        var problem = tree(answer);
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("type").asText()).isNotEmpty();
        assertThat(problem.path("title").asText()).isNotEmpty();
        assertThat(problem.path("detail").asText()).isNotEmpty();
        assertThat(answer.headers().firstValue("X-Request-Id"))
                .contains(problem.path("request_id").asText());
    }

    private static void assertRawProblem(String answer) {
        assertThat(answer)
                .containsIgnoringCase("Content-Type: application/problem+json")
                .containsIgnoringCase("X-Request-Id: ")
                .contains("\"request_id\":")
                .doesNotContain("Exception")
                .doesNotContain("\tat ");
    }
}
