package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrangersIT {
    private static TestServer server;

    @BeforeAll
    static void start() {
        var options = new HttpOptions(
                "127.0.0.1",
                0,
                null,
                null,
                1000,
                List.of("hot.example", "other.example:81"),
                false,
                Duration.ofSeconds(1));
        var routes = TestServer.routes(
                Route.get(
                        "/read",
                        Access.VIEWER,
                        request -> Answer.ok(request.caller().orElseThrow().name())),
                Route.post("/write", Access.OPERATOR, request -> Answer.noContent()),
                Route.get("/badge", Access.PUBLIC, request -> Answer.noContent()));
        server =
                new TestServer(HttpServer.start(options, List.of(routes), Authenticator.none(), HttpServer.Hooks.NONE));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void onLoopbackNobodyNeedsAToken() {
        assertThat(server.get("/read").body()).isEqualTo("\"local\"");
        assertThat(server.call("POST", "/write", "").statusCode()).isEqualTo(204);
    }

    @Test
    void aTokenThatIsShownMustBeGoodAllTheSame() {
        assertThat(server.get("/read", "Authorization", "Bearer hs_x").statusCode())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:PORT",
                "127.0.0.1:PORT",
                "[::1]:PORT",
                "LOCALHOST:PORT",
                "hot.example",
                "hot.example:9",
                "other.example:81"
            })
    void theServersOwnNamesAreAnswered(String host) {
        assertThat(server.rawGet("/read", host.replace("PORT", "" + server.port())))
                .startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:PORT",
                "localhost",
                "localhost:1",
                "localhost.evil.example:PORT",
                "127.0.0.1.evil.example:PORT",
                "other.example",
                "other.example:82",
                "192.168.1.1:PORT",
            })
    void aNameThatSomebodyElseMadeResolveToUsIsRefused(String host) {
        for (var path : List.of("/read", "/badge", "/nothing")) {
            assertThat(server.rawGet(path, host.replace("PORT", "" + server.port())))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("application/problem+json");
        }
    }

    @Test
    void aRequestWithoutOrWithTwoHostsIsRefused() {
        assertThat(server.raw("GET /read HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(server.raw("GET /read HTTP/1.1\r\nHost: localhost:" + server.port()
                        + "\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "null",
                "http://localhost:1",
                "http://127.0.0.1",
                "file://",
                "http://evil.example:PORT",
                "",
            })
    void aPageOfAnotherOriginIsRefused(String origin) {
        var theirs = origin.replace("PORT", "" + server.port());
        for (var path : List.of("/read", "/badge")) {
            assertThat(server.get(path, "Origin", theirs).statusCode()).isEqualTo(403);
        }
        assertThat(server.call("POST", "/write", "", "Origin", theirs).statusCode())
                .isEqualTo(403);
        assertThat(server.call("OPTIONS", "/write", "", "Origin", theirs).statusCode())
                .isEqualTo(403);
    }

    @Test
    void ourOwnPageMayCall() {
        var own = "http://127.0.0.1:" + server.port();
        assertThat(server.call("POST", "/write", "", "Origin", own, "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.get("/read", "Sec-Fetch-Site", "none").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site"})
    void anotherSiteMayLinkHereAndShowABadgeAndNothingElse(String site) {
        assertThat(server.get("/read", "Sec-Fetch-Site", site).statusCode()).isEqualTo(403);
        assertThat(server.call("POST", "/write", "", "Sec-Fetch-Site", site).statusCode())
                .isEqualTo(403);
        assertThat(server.call(
                                "POST",
                                "/write",
                                "",
                                "Sec-Fetch-Site",
                                site,
                                "Sec-Fetch-Mode",
                                "navigate",
                                "Sec-Fetch-Dest",
                                "document")
                        .statusCode())
                .isEqualTo(403);
        assertThat(server.get("/read", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe")
                        .statusCode())
                .isEqualTo(403);
        assertThat(server.get(
                                "/read",
                                "Sec-Fetch-Site",
                                site,
                                "Sec-Fetch-Mode",
                                "navigate",
                                "Sec-Fetch-Dest",
                                "document")
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.get("/badge", "Sec-Fetch-Site", site, "Sec-Fetch-Dest", "image")
                        .statusCode())
                .isEqualTo(204);
    }
}
