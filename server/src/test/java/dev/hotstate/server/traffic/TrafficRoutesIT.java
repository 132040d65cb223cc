package dev.hotstate.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What applications report to a server, and what it tells of it. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrafficRoutesIT {
    private RunningServer server;

    @BeforeAll
    void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(redis.uri(), database);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void whatIsReportedIsSeenByEndpointAndByInstance() {
        report(
                "shop-1",
                item("GET", "/shop/{id}", 200, "10"),
                item("GET", "/shop/{id}", 200, "20"),
                item("GET", "/shop/{id}", 404, "30"));
        report("shop-2", item("GET", "/shop/{id}", 503, "40"), item("POST", "/shop", 201, "0.5"));

        var endpoint = await("/traffic/endpoints", "endpoint", "GET /shop/{id}", 4);
        assertThat(endpoint.get("errors").asLong()).isEqualTo(2);
        assertThat(endpoint.get("avg_ms").asDouble()).isEqualTo(25);
        assertThat(endpoint.get("p50").asDouble()).isBetween(19.68, 20.32);
        assertThat(endpoint.get("p99").asDouble()).isBetween(39.37, 40.63);
        assertThat(await("/traffic/endpoints", "endpoint", "POST /shop", 1)
                        .get("avg_ms")
                        .asDouble())
                .isEqualTo(0.5);
        assertThat(await("/traffic/instances", "instance", "shop-1", 3)
                        .get("errors")
                        .asLong())
                .isEqualTo(1);
        await("/traffic/instances", "instance", "shop-2", 2);
    }

    @Test
    void anEndpointIsToldInAllWindowsWithItsLastRequests() {
        report("detail", item("GET", "/detail/{id}", 200, "5"), item("GET", "/detail/{id}", 500, "7"));
        await("/traffic/endpoints", "endpoint", "GET /detail/{id}", 2);

        var detail = server.json("/traffic/endpoint?method=GET&route=" + encoded("/detail/{id}"));
        assertThat(detail.get("endpoint").asText()).isEqualTo("GET /detail/{id}");
        assertThat(detail.get("requests").asLong()).isEqualTo(2);
        assertThat(detail.get("errors").asLong()).isEqualTo(1);
        assertThat(detail.get("avg_ms").asDouble()).isEqualTo(6);
        assertThat(detail.get("items").findValuesAsText("window")).containsExactly("1m", "15m", "1h", "24h");
        detail.get("items").forEach(window -> {
            assertThat(window.get("requests").asLong()).isEqualTo(2);
            assertThat(window.get("p99").asDouble()).isBetween(6.89, 7.11);
        });
        assertThat(detail.get("samples").findValues("ms").stream().map(JsonNode::asDouble))
                .containsExactlyInAnyOrder(5.0, 7.0);
    }

    @Test
    void anEndpointThatNobodyCalledIsNotFound() {
        var unknown = server.get("/traffic/endpoint?method=GET&route=/nowhere");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(server.get("/traffic/endpoint?method=GET").statusCode()).isEqualTo(400);
        assertThat(errorFields(server.get("/traffic/endpoint?route=/x"))).containsExactly("method");
    }

    @Test
    void endpointsAreSortedAndPaged() {
        report(
                "sorted",
                item("GET", "/sorted/slow", 200, "900000"),
                item("GET", "/sorted/failing", 500, "1"),
                item("GET", "/sorted/failing", 500, "1"),
                item("GET", "/sorted/busy", 200, "1"),
                item("GET", "/sorted/busy", 200, "1"),
                item("GET", "/sorted/busy", 200, "1"));
        await("/traffic/endpoints", "endpoint", "GET /sorted/busy", 3);

        assertThat(names("/traffic/endpoints?sort=p95&limit=1")).containsExactly("GET /sorted/slow");
        assertThat(names("/traffic/endpoints?sort=name")).isSorted();
        assertThat(ofThisTest(names("/traffic/endpoints?sort=errors"))).startsWith("GET /sorted/failing");
        assertThat(ofThisTest(names("/traffic/endpoints")))
                .containsExactly("GET /sorted/busy", "GET /sorted/failing", "GET /sorted/slow");

        var paged = new ArrayList<String>();
        var cursor = "";
        do {
            var page = server.json("/traffic/endpoints?sort=name&limit=2" + cursor);
            page.get("items").forEach(item -> paged.add(item.get("endpoint").asText()));
            cursor = page.get("next_cursor").isNull()
                    ? null
                    : "&cursor=" + page.get("next_cursor").asText();
        } while (cursor != null);
        assertThat(paged).doesNotHaveDuplicates().isSorted().contains("GET /sorted/slow");
    }

    @ParameterizedTest
    @CsvSource({
        "/traffic/endpoints?window=2h, window",
        "/traffic/endpoints?sort=age, sort",
        "/traffic/endpoints?limit=0, limit",
        "/traffic/endpoints?cursor=here, cursor",
        "/traffic/endpoints?cursor=-1, cursor",
        "/traffic/endpoints?cursor=4000000000, cursor",
        "/traffic/instances?window=week, window",
        "/traffic?window=week, window",
        "/traffic/series?window=week, window",
        "/traffic/endpoint?method=GET&route=nowhere, route",
        "/traffic/hourly?from=yesterday, from",
        "/traffic/hourly?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z, from",
        "/traffic/hourly?cursor=here, cursor",
    })
    void aBadQuestionIsRefusedByName(String path, String field) {
        assertThat(errorFields(server.get(path))).containsExactly(field);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            {"instance":"a b","items":[]}                                                   | instance
            {"instance":"","items":[]}                                                      | instance
            {"instance":"x"}                                                                | items
            {"instance":"x","items":{}}                                                     | items
            {"instance":"x","items":[null]}                                                 | items[0]
            {"instance":"x","items":[7]}                                                    | items[0]
            {"instance":"x","items":[{"route":"/","status":200,"ms":1}]}                    | items[0].method
            {"instance":"x","items":[{"method":"G T","route":"/","status":200,"ms":1}]}     | items[0].method
            {"instance":"x","items":[{"method":"GET","status":200,"ms":1}]}                 | items[0].route
            {"instance":"x","items":[{"method":"GET","route":"a","status":200,"ms":1}]}     | items[0].route
            {"instance":"x","items":[{"method":"GET","route":"/\\n","status":200,"ms":1}]}  | items[0].route
            {"instance":"x","items":[{"method":"GET","route":"/\\ud800","status":200,"ms":1}]} | items[0].route
            {"instance":"x","items":[{"method":"GET","route":"/","ms":1}]}                  | items[0].status
            {"instance":"x","items":[{"method":"GET","route":"/","status":99,"ms":1}]}      | items[0].status
            {"instance":"x","items":[{"method":"GET","route":"/","status":600,"ms":1}]}     | items[0].status
            {"instance":"x","items":[{"method":"GET","route":"/","status":"200","ms":1}]}   | items[0].status
            {"instance":"x","items":[{"method":"GET","route":"/","status":200}]}            | items[0].ms
            {"instance":"x","items":[{"method":"GET","route":"/","status":200,"ms":-1}]}    | items[0].ms
            {"instance":"x","items":[{"method":"GET","route":"/","status":200,"ms":1e999}]} | items[0].ms
            {"instance":"x","items":[{"method":"GET","route":"/","status":200,"ms":"1"}]}   | items[0].ms
            {"instance":"x","items":[{"method":"GET","route":"/","status":200,"ms":1,"at":"now"}]} | items[0].at
            {"instance":"x","items":[{"method":"GET","route":"/","status":200,"ms":1,"took":1}]} | items[0].took
            {"instance":"x","items":[],"app":"shop"}                                        | app
            """)
    void aBadReportIsRefusedByName(String body, String field) {
        var refused = server.post("/traffic/requests", body);
        assertThat(errorFields(refused)).containsExactly(field);
        assertThat(RunningServer.tree(refused).get("errors").findValuesAsText("message"))
                .as("the field is named once")
                .noneMatch(message -> message.startsWith(field));
    }

    @Test
    void aReportIsCountedWholeOrNotAtAll() {
        var refused = server.post(
                "/traffic/requests",
                body("halves", item("GET", "/halves", 200, "1"), item("GET", "/halves", 700, "-1")));
        assertThat(errorFields(refused)).containsExactly("items[1].status", "items[1].ms");

        report("halves", item("GET", "/halves", 200, "1"));
        await("/traffic/endpoints", "endpoint", "GET /halves", 1);
    }

    @Test
    void aRouteIsAtMost200Characters() {
        var longest = "/" + "r".repeat(199);
        report("long", item("GET", longest, 200, "1"));
        await("/traffic/endpoints", "endpoint", "GET " + longest, 1);
        assertThat(errorFields(server.post("/traffic/requests", body("long", item("GET", longest + "r", 200, "1")))))
                .containsExactly("items[0].route");
    }

    @Test
    void aReportFromTheFutureOrOfLongAgoIsRefused() {
        var now = Instant.now();
        assertThat(errorFields(report(now.plus(Duration.ofMinutes(3))))).containsExactly("items[0].at");
        assertThat(errorFields(report(now.minus(Duration.ofHours(25))))).containsExactly("items[0].at");
        assertThat(report(now.minus(Duration.ofHours(23))).statusCode()).isEqualTo(200);
        assertThat(report(now.plus(Duration.ofSeconds(20))).statusCode()).isEqualTo(200);
    }

    @Test
    void tenThousandRequestsAreTakenAtOnceAndOneMoreIsRefused() {
        var items = Collections.nCopies(10_000, item("GET", "/many", 200, "1")).toArray(String[]::new);
        var taken = server.post("/traffic/requests", body("many", items));
        assertThat(RunningServer.tree(taken).get("accepted").asInt()).isEqualTo(10_000);
        await("/traffic/endpoints", "endpoint", "GET /many", 10_000);
        await("/traffic/instances", "instance", "many", 10_000);

        var more = Collections.nCopies(10_001, item("GET", "/many", 200, "1")).toArray(String[]::new);
        assertThat(errorFields(server.post("/traffic/requests", body("many", more))))
                .containsExactly("items");
    }

    @Test
    void tenThousandLongItemsFitAndABodyBeyondFourMegabytesIsTooLarge() {
        var item = """
                {"method":"DELETE","route":"/customers/{customer}/invoices/{invoice}/lines/{line}/%s","status":200,\
                "ms":1234.567,"at":"%s"}""".formatted("x".repeat(100), Instant.now());
        var items = Collections.nCopies(10_000, item).toArray(String[]::new);
        var taken = server.post("/traffic/requests", body("long-items", items));
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
        await("/traffic/instances", "instance", "long-items", 10_000);

        var padded = body("long-items", item).replace("{\"method\"", " ".repeat(4_000_000) + "{\"method\"");
        assertThat(server.post("/traffic/requests", padded).statusCode()).isEqualTo(413);
        assertThat(server.post("/limits/check", padded).statusCode()).isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROPFIND", "get"})
    void aMethodOfAnotherSpellingIsCounted(String method) {
        report("methods", item(method, "/methods/" + method, 200, "1"));
        var counted = method.equals("get") ? "GET" : "OTHER";
        await("/traffic/endpoints", "endpoint", counted + " /methods/" + method, 1);
    }

    @Test
    void thePresentHourHasWhatCameInToday() {
        report("hours", item("GET", "/hours", 200, "1"));
        await("/traffic/endpoints?window=24h", "endpoint", "GET /hours", 1);

        var hours = server.json("/traffic/hourly").get("items");
        assertThat(hours.size()).isBetween(1, 24);
        var present = hours.get(hours.size() - 1);
        assertThat(fields(present)).containsExactly("hour", "requests", "errors", "avg_ms", "p50", "p90", "p95", "p99");
        assertThat(Instant.parse(present.get("hour").asText())).isBeforeOrEqualTo(Instant.now());
        assertThat(present.get("requests").asLong()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"1m,7", "15m,16", "1h,13", "24h,25"})
    void theFleetIsToldStepByStep(String window, int steps) {
        report("steps", item("GET", "/steps/" + window, 200, "4"));
        await("/traffic/endpoints", "endpoint", "GET /steps/" + window, 1);

        var items = server.json("/traffic/series?window=" + window).get("items");
        assertThat(items.findValuesAsText("at")).hasSize(steps).isSorted();
        assertThat(items.findValues("requests").stream()
                        .mapToLong(JsonNode::asLong)
                        .sum())
                .isPositive();
        assertThat(fields(items.get(0)))
                .containsExactly("at", "requests", "errors", "avg_ms", "p50", "p90", "p95", "p99");
    }

    @Test
    void prometheusGetsTheFleetsFigures() {
        report("scraped", item("GET", "/scraped", 200, "1"));
        await("/traffic/endpoints", "endpoint", "GET /scraped", 1);
        Eventually.until(
                "the totals are scraped",
                () -> server.get("/metrics")
                        .body()
                        .lines()
                        .anyMatch(line -> line.matches("hotstate_traffic_requests_total [1-9].*")));
        assertThat(server.get("/metrics").body())
                .contains(
                        "hotstate_traffic_accepted_total",
                        "hotstate_traffic_errors_total",
                        "hotstate_traffic_speed",
                        "hotstate_traffic_connections",
                        "hotstate_traffic_instances");
    }

    private HttpResponse<String> report(Instant at) {
        return server.post(
                "/traffic/requests",
                body(
                        "times",
                        "{\"method\":\"GET\",\"route\":\"/times\",\"status\":200,\"ms\":1,\"at\":\"" + at + "\"}"));
    }

    private void report(String instance, String... items) {
        var answer = server.post("/traffic/requests", body(instance, items));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(RunningServer.tree(answer).get("accepted").asInt()).isEqualTo(items.length);
    }

    private static String body(String instance, String... items) {
        return "{\"instance\":\"" + instance + "\",\"items\":[" + String.join(",", items) + "]}";
    }

    private static String item(String method, String route, int status, String ms) {
        return "{\"method\":\"%s\",\"route\":\"%s\",\"status\":%d,\"ms\":%s}".formatted(method, route, status, ms);
    }

    /** Waits until that line of a list has so many requests, and answers it. */
    private JsonNode await(String path, String what, String name, long requests) {
        var found = new ArrayList<JsonNode>();
        Eventually.until(name + " has " + requests + " requests", found, () -> {
            found.clear();
            items(path).stream()
                    .filter(item -> item.get(what).asText().equals(name))
                    .forEach(found::add);
            return found.size() == 1 && found.getFirst().get("requests").asLong() == requests;
        });
        return found.getFirst();
    }

    private List<JsonNode> items(String path) {
        var whole = path + (path.contains("?") ? "&" : "?") + "limit=1000";
        return StreamSupport.stream(server.json(whole).get("items").spliterator(), false)
                .toList();
    }

    private List<String> names(String path) {
        return server.json(path).get("items").findValuesAsText("endpoint");
    }

    private static List<String> ofThisTest(List<String> names) {
        return names.stream().filter(name -> name.startsWith("GET /sorted/")).toList();
    }

    private static List<String> fields(JsonNode object) {
        return object.properties().stream().map(entry -> entry.getKey()).toList();
    }

    private static List<String> errorFields(HttpResponse<String> refused) {
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        return RunningServer.tree(refused).get("errors").findValuesAsText("field");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
