package dev.hotstate.server.http;

import static dev.hotstate.server.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodiesIT {
    private static TestServer server;

    private record Plan(
            @Nullable String name,
            @Nullable Duration interval,
            @Nullable Instant startAt,
            @Nullable Integer count,
            @Nullable Boolean paused,
            @Nullable Role role,
            @Nullable List<Step> steps,
            @Nullable Map<String, Step> named) {}

    private record Step(@Nullable String id, int size) {
        private Step {
            if (size > 10) {
                throw new IllegalArgumentException("size must be at most 10, not " + size);
            }
        }
    }

    @BeforeAll
    static void start() {
        var stored = new Plan("a", Duration.ofSeconds(30), null, 3, false, Role.VIEWER, null, null);
        server = TestServer.open(TestServer.routes(
                Route.post("/plans", Access.OPERATOR, request -> Answer.ok(request.body(Plan.class))),
                Route.put(
                        "/plans",
                        Access.OPERATOR,
                        request -> Answer.ok(request.document(new TypeReference<List<Plan>>() {}))),
                Route.patch(
                        "/plans",
                        Access.OPERATOR,
                        request -> Answer.ok(request.patch(Plan.class).apply(stored)))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void namesTimesAndDurationsAreThoseOfTheApi() {
        var answer = server.json(
                "POST", "/plans", "{\"name\":\"x\",\"interval\":\"90s\",\"start_at\":\"2026-01-31T12:00:00Z\"}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .startsWith(
                        "{\"name\":\"x\",\"interval\":\"90s\",\"start_at\":\"2026-01-31T12:00:00Z\",\"count\":null");
    }

    @Test
    void unknownFieldsAreRefusedByNameAllAtOnce() {
        var answer = server.json(
                "POST", "/plans", "{\"intervall\":\"30s\",\"steps\":[{\"id\":\"a\",\"siez\":1}],\"zzz\":1}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(tree(answer).path("errors").toString())
                .isEqualTo("[{\"field\":\"intervall\",\"message\":\"unknown field; did you mean \\\"interval\\\"?\"},"
                        + "{\"field\":\"steps[0].siez\",\"message\":\"unknown field; did you mean \\\"size\\\"?\"},"
                        + "{\"field\":\"zzz\",\"message\":\"unknown field\"}]");
    }

    @Test
    void aKeyGivenTwiceIsRefused() {
        assertError(server.json("POST", "/plans", "{\"name\":\"a\",\"name\":\"b\"}"), "name", "is given twice");
        assertError(
                server.json("POST", "/plans", "{\"steps\":[{\"id\":\"a\"},{\"id\":\"a\",\"id\":\"b\"}]}"),
                "steps[1].id",
                "is given twice");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\":5} | name | must be a text",
                "{\"name\":true} | name | must be a text",
                "{\"name\":[]} | name | must be a text",
                "{\"count\":\"5\"} | count | must be a whole number in range",
                "{\"count\":1.5} | count | must be a whole number in range",
                "{\"count\":99999999999} | count | must be a whole number in range",
                "{\"paused\":\"yes\"} | paused | must be true or false",
                "{\"paused\":1} | paused | must be true or false",
                "{\"interval\":30} | interval | must be a duration such as \"30s\"",
                "{\"interval\":\"30\"} | interval | must be a duration such as \"30s\"",
                "{\"interval\":\"-5s\"} | interval | must be a duration such as \"30s\"",
                "{\"start_at\":\"yesterday\"} | start_at | must be a time such as 2026-01-31T12:00:00Z",
                "{\"role\":\"king\"} | role | must be one of admin, operator, viewer, agent",
                "{\"steps\":{}} | steps | must be a list",
                "{\"steps\":[5]} | steps[0] | must be an object",
                "{\"steps\":[{\"size\":null}]} | steps[0].size | must be a whole number in range",
                "{\"steps\":[{\"id\":\"a\",\"size\":11}]} | steps[0] | size must be at most 10, not 11",
                "{\"named\":{\"x\":{\"size\":\"a\"}}} | named.x.size | must be a whole number in range",
            })
    void aWrongTypeIsNamedByThePathOfItsField(String body, String field, String message) {
        assertError(server.json("POST", "/plans", body), field, message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"name\":", "{name:1}", "{'name':1}", "{\"a\" 1}", "nope", "{\"name\":\"a\"\u0001}"})
    void malformedJsonIsToldWithLineAndColumn(String body) {
        var answer = server.json("POST", "/plans", body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(tree(answer).at("/errors/0/message").asText())
                .matches("the body is malformed at line \\d+, column \\d+");
    }

    @Test
    void whatFollowsTheBodyIsRefused() {
        assertError(server.json("POST", "/plans", "{} {}"), "", "the body goes on after its end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "5", "\"text\""})
    void aBodyThatIsNoObjectIsRefused(String body) {
        assertThat(server.json("POST", "/plans", body).statusCode()).isEqualTo(400);
    }

    @Test
    void noBodyAndNullAreRefused() {
        assertError(server.json("POST", "/plans", ""), "", "a body is required");
        assertError(server.json("POST", "/plans", "   "), "", "a body is required");
        assertError(server.json("POST", "/plans", "null"), "", "must not be null");
    }

    @Test
    void deepNestingIsRefused() {
        var answer = server.json("POST", "/plans", "{\"steps\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(tree(answer).at("/errors/0/message").asText()).contains("nested too deeply");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "-1e-999999999"})
    void anAbsurdNumberIsRefused(String number) {
        assertThat(server.json("POST", "/plans", "{\"count\":" + number + "}").statusCode())
                .isEqualTo(400);
    }

    @Test
    void aNumberOfManyDigitsIsRefused() {
        var answer = server.json("POST", "/plans", "{\"count\":" + "9".repeat(5000) + "}");
        assertThat(answer.statusCode()).isEqualTo(400);
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        var request = HttpRequest.newBuilder(URI.create(server.url() + "/plans"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(
                        new byte[] {'{', '"', 'n', 'a', 'm', 'e', '"', ':', '"', (byte) 0xC3, (byte) 0x28, '"', '}'}))
                .build();
        assertError(server.send(request), "", "the body is not UTF-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/yaml",
                "application/json; charset=utf-16",
                "application/x-www-form-urlencoded",
                "json"
            })
    void anotherMediaTypeIsRefused(String type) {
        var answer = server.call("POST", "/plans", "{}", "Content-Type", type);
        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(answer.headers().firstValue("Accept")).contains("application/json");
    }

    @Test
    void jsonWithACharsetIsJson() {
        var answer = server.call("POST", "/plans", "{}", "Content-Type", "Application/JSON; charset=\"UTF-8\"");
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void aBodyOverTheLimitIsRefusedAndTheServerLivesOn() {
        var answer = server.json("POST", "/plans", "{\"name\":\"" + "x".repeat(10 << 20) + "\"}");
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(server.json("POST", "/plans", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void aChunkedBodyOverTheLimitIsRefusedWhileItIsRead() {
        var request = HttpRequest.newBuilder(URI.create(server.url() + "/plans"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(("{\"name\":\"" + "x".repeat(10 << 20) + "\"}").getBytes())))
                .build();
        assertThat(server.send(request).statusCode()).isEqualTo(413);
    }

    @Test
    void anAnnouncedAbsurdLengthIsRefusedAtOnce() {
        var answer = server.raw("POST /plans HTTP/1.1\r\nHost: localhost:" + server.port()
                + "\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{");
        assertThat(answer).startsWith("HTTP/1.1 413 ").contains("application/problem+json");
    }

    @Test
    void aRefusalReachesAClientThatClosesAfterItsLargeBody() {
        var answer = server.raw("POST /nothing HTTP/1.1\r\nHost: localhost:" + server.port()
                + "\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n" + "x".repeat(3_000_000));
        assertThat(answer).startsWith("HTTP/1.1 404 ").contains("application/problem+json");
    }

    @Test
    void aBrokenChunkIsABadRequest() {
        var answer = server.raw("POST /plans HTTP/1.1\r\nHost: localhost:" + server.port()
                + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("application/problem+json");
    }

    @Test
    void aDocumentMayBeYaml() {
        var answer = server.call(
                "PUT", "/plans", "- name: x\n  interval: 5m\n  count: 2\n", "Content-Type", "application/yaml");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(tree(answer).at("/0/interval").asText()).isEqualTo("5m");
    }

    @Test
    void yamlIsHeldToTheSameRules() {
        assertError(yaml("- nme: x\n"), "[0].nme", "unknown field; did you mean \"name\"?");
        assertError(yaml("- name: x\n  name: y\n"), "[0].name", "is given twice");
        assertThat(yaml("- name: [\n").statusCode()).isEqualTo(400);
        assertThat(yaml("- name: x\n--- \n- name: y\n").statusCode()).isEqualTo(400);
        assertThat(yaml("- &a\n  name: x\n- *a\n").body()).contains("aliases");
        assertThat(yaml("[".repeat(5000)).statusCode()).isEqualTo(400);
    }

    @Test
    void aMergePatchChangesWhatItNames() {
        var answer = server.call(
                "PATCH",
                "/plans",
                "{\"count\":null,\"interval\":\"1m\"}",
                "Content-Type",
                "application/merge-patch+json");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(tree(answer).path("name").asText()).isEqualTo("a");
        assertThat(tree(answer).path("interval").asText()).isEqualTo("60s");
        assertThat(tree(answer).path("count").isNull()).isTrue();
    }

    @Test
    void aMergePatchIsCheckedLikeABody() {
        assertError(server.json("PATCH", "/plans", "{\"cuont\":1}"), "cuont", "unknown field; did you mean \"count\"?");
        assertError(
                server.json("PATCH", "/plans", "{\"coutn\":null}"), "coutn", "unknown field; did you mean \"count\"?");
        assertError(server.json("PATCH", "/plans", "[]"), "", "a merge patch is a JSON object");
        assertError(server.json("PATCH", "/plans", "{\"count\":\"x\"}"), "count", "must be a whole number in range");
    }

    private static HttpResponse<String> yaml(String body) {
        return server.call("PUT", "/plans", body, "Content-Type", "application/yaml");
    }

    private static void assertError(HttpResponse<String> answer, String field, String message) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(tree(answer).at("/errors/0/field").asText()).isEqualTo(field);
        assertThat(tree(answer).at("/errors/0/message").asText()).isEqualTo(message);
    }
}
