package dev.hotstate.server.limits;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /limits/rules} over HTTP, on a real PostgreSQL. */
@ExtendWith(Testkit.class)
class LimitRulesIT {
    private static final String LOGIN =
            "{\"id\":\"login\",\"algorithm\":\"fixed_window\",\"limit\":5,\"window\":\"1m\"}";
    private static final String API =
            "{\"id\":\"api\",\"algorithm\":\"token_bucket\",\"limit\":10,\"window\":\"1s\",\"burst\":20,"
                    + "\"on_error\":\"local\",\"shadow\":true,\"slice\":4}";
    private static RunningServer server;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(redis.uri(), database);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void clear() {
        assertThat(put("[]").statusCode()).isEqualTo(200);
    }

    @Test
    void whatIsAppliedIsListedWithItsDefaultsInTheOrderOfTheIds() {
        var report = tree(put("[" + LOGIN + "," + API + "]"));
        assertThat(texts(report.get("created"))).containsExactly("api", "login");
        assertThat(report.get("items")).hasSize(2);

        var listed = server.json("/limits/rules");
        assertThat(listed.get("version")).isEqualTo(report.get("version"));
        assertThat(listed.get("created_by").asText()).isEqualTo("local");
        assertThat(listed.get("created_at").asText()).endsWith("Z");
        assertThat(listed.get("next_cursor").isNull()).isTrue();
        assertThat(listed.get("items").toString())
                .isEqualTo(
                        "[{\"id\":\"api\",\"algorithm\":\"token_bucket\",\"limit\":10,\"window\":\"1s\",\"burst\":20,"
                                + "\"on_error\":\"local\",\"shadow\":true,\"slice\":4,\"lease\":\"1s\"},"
                                + "{\"id\":\"login\",\"algorithm\":\"fixed_window\",\"limit\":5,\"window\":\"1m\","
                                + "\"on_error\":\"open\",\"shadow\":false}]");
        assertThat(tree(put(listed.get("items").toString())).get("unchanged").asInt())
                .as("what was read can be submitted")
                .isEqualTo(2);
    }

    @Test
    void aDurationIsAnsweredAsItWasWritten() {
        var sixty = LOGIN.replace("1m", "60s");
        var leased = API.replace("\"1s\"", "\"1000ms\"").replace("\"slice\":4", "\"slice\":4,\"lease\":\"900ms\"");
        var version = tree(put("[" + sixty + "," + leased + "]")).get("version").asLong();
        var items = server.json("/limits/rules").get("items");
        assertThat(items.at("/0/window").asText()).isEqualTo("1000ms");
        assertThat(items.at("/0/lease").asText()).isEqualTo("900ms");
        assertThat(items.at("/1/window").asText()).isEqualTo("60s");
        assertThat(tree(put(items.toString())).get("version").asLong())
                .as("the same again is no change")
                .isEqualTo(version);

        var respelled = tree(put("[" + LOGIN + "," + leased + "]"));
        assertThat(respelled.get("changes").toString())
                .isEqualTo("[{\"id\":\"login\",\"field\":\"window\",\"from\":\"60s\",\"to\":\"1m\"}]");
        assertThat(server.json("/limits/rules").at("/items/1/window").asText()).isEqualTo("1m");
        assertThat(server.json("/limits/rules?version=" + version)
                        .at("/items/1/window")
                        .asText())
                .isEqualTo("60s");
    }

    @Test
    void yamlIsUnderstoodAsWell() {
        var yaml = "- id: login\n  algorithm: sliding_log\n  limit: 3\n  window: 10s\n  on_error: closed\n";
        var answer = server.call("PUT", "/limits/rules", yaml, "Content-Type", "application/yaml");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(tree(answer).at("/items/0/on_error").asText()).isEqualTo("closed");
        assertThat(server.call("PUT", "/limits/rules", yaml, "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(415);
    }

    @Test
    void aChangeIsReportedFieldByField() {
        put("[" + LOGIN + "," + API + "]");
        var wanted = "[" + LOGIN.replace("5", "7").replace("1m", "2m") + "," + LOGIN.replace("login", "new") + "]";
        var report = tree(put(wanted));
        assertThat(texts(report.get("created"))).containsExactly("new");
        assertThat(texts(report.get("updated"))).containsExactly("login");
        assertThat(texts(report.get("deleted"))).containsExactly("api");
        assertThat(report.get("unchanged").asInt()).isZero();
        assertThat(report.get("changes").toString())
                .isEqualTo("[{\"id\":\"login\",\"field\":\"limit\",\"from\":\"5\",\"to\":\"7\"},"
                        + "{\"id\":\"login\",\"field\":\"window\",\"from\":\"1m\",\"to\":\"2m\"}]");
    }

    @Test
    void aDryRunTellsTheSameAndChangesNothing() {
        var before = tree(put("[" + LOGIN + "]")).get("version");
        var plan = tree(put("[" + API + "]", "/limits/rules?dry_run=true"));
        assertThat(texts(plan.get("created"))).containsExactly("api");
        assertThat(texts(plan.get("deleted"))).containsExactly("login");
        assertThat(plan.get("version")).isEqualTo(before);
        assertThat(plan.at("/items/0/id").asText()).isEqualTo("api");
        var listed = server.json("/limits/rules");
        assertThat(listed.get("version")).isEqualTo(before);
        assertThat(listed.at("/items/0/id").asText()).isEqualTo("login");
    }

    @Test
    void theSameRulesAgainMakeNoNewVersion() {
        var first = tree(put("[" + LOGIN + "," + API + "]"));
        var again = tree(put("[" + API + "," + LOGIN + "]"));
        assertThat(again.get("version")).isEqualTo(first.get("version"));
        assertThat(again.get("unchanged").asInt()).isEqualTo(2);
    }

    @Test
    void onlyWhoHasSeenTheRulesReplacesThem() {
        var version = tree(put("[" + LOGIN + "]")).get("version").asLong();
        var tag = server.get("/limits/rules").headers().firstValue("ETag").orElseThrow();
        assertThat(tag).isEqualTo("\"" + version + "\"");
        assertThat(put("[" + API + "]", "/limits/rules", "If-Match", tag).statusCode())
                .isEqualTo(200);

        var late = put("[]", "/limits/rules", "If-Match", tag);
        assertThat(late.statusCode()).isEqualTo(412);
        assertThat(late.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(tree(late).get("detail").asText()).contains("version " + (version + 1));
        assertThat(put("[]", "/limits/rules?dry_run=true", "If-Match", tag).statusCode())
                .isEqualTo(412);
        assertThat(server.json("/limits/rules").at("/items/0/id").asText()).isEqualTo("api");
        assertThat(put("[]", "/limits/rules", "If-Match", "yesterday").statusCode())
                .isEqualTo(400);
    }

    @Test
    void ofManyWritersAtOnceEachVersionHasOne() throws Exception {
        var version = tree(put("[" + LOGIN + "]")).get("version").asLong();
        var statuses = new ArrayList<Integer>();
        var threads = IntStream.range(0, 8)
                .mapToObj(i -> Thread.ofVirtual().start(() -> {
                    var rules = "[" + LOGIN.replace("5", String.valueOf(100 + i)) + "]";
                    int status = put(rules, "/limits/rules", "If-Match", "\"" + version + "\"")
                            .statusCode();
                    synchronized (statuses) {
                        statuses.add(status);
                    }
                }))
                .toList();
        for (var thread : threads) {
            thread.join();
        }
        assertThat(statuses).hasSize(8).containsOnlyOnce(200).containsOnly(200, 412);
        assertThat(server.json("/limits/rules").get("version").asLong()).isEqualTo(version + 1);
    }

    @Test
    void anOlderVersionCanBeReadUntilAHundredMoreWereMade() {
        var first = tree(put("[" + LOGIN + "]")).get("version").asLong();
        put("[" + API + "]");
        var old = server.json("/limits/rules?version=" + first);
        assertThat(old.get("version").asLong()).isEqualTo(first);
        assertThat(old.at("/items/0/id").asText()).isEqualTo("login");
        for (int i = 1; i < 100; i++) {
            put("[" + LOGIN.replace("5", String.valueOf(i + 5)) + "]");
        }
        assertThat(server.get("/limits/rules?version=" + first).statusCode()).isEqualTo(404);
        assertThat(server.get("/limits/rules?version=" + (first + 1)).statusCode())
                .isEqualTo(200);
        assertThat(server.get("/limits/rules?version=next").statusCode()).isEqualTo(400);
    }

    @Test
    void aLongListIsPaged() {
        var many = IntStream.range(0, 1000)
                .mapToObj(i -> LOGIN.replace("login", "r%03d".formatted(i)))
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(put(many).statusCode()).isEqualTo(200);
        var first = server.json("/limits/rules?limit=400");
        assertThat(first.get("items")).hasSize(400);
        var last = server.json(
                "/limits/rules?limit=1000&cursor=" + first.get("next_cursor").asText());
        assertThat(last.get("items")).hasSize(600);
        assertThat(last.at("/items/0/id").asText()).isEqualTo("r400");
        assertThat(last.get("next_cursor").isNull()).isTrue();
        var tooMany = put(many.replace("]", "," + LOGIN + "]"));
        assertThat(tooMany.statusCode()).isEqualTo(400);
        assertThat(tree(tooMany).get("detail").asText()).contains("at most 1000 rules");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit    | 0                  | must be 1 to 1000000000, not 0",
                "limit    | -1                 | must be 1 to",
                "limit    | 1000000001         | must be 1 to",
                "limit    | 1.5                | must be a whole number",
                "limit    | \"5\"              | must be a whole number",
                "limit    | null               | is required",
                "window   | \"0ms\"            | must be 1ms to 366 days",
                "window   | \"367d\"           | must be 1ms to 366 days",
                "window   | \"soon\"           | must be a duration",
                "window   | 60                 | must be a duration",
                "window   | null               | is required",
                "algorithm| \"leaky\"          | must be one of fixed_window, sliding_window, sliding_log, token_bucket",
                "algorithm| null               | is required",
                "id       | null               | is required",
                "id       | \"a b\"            | must be 1 to 64 of",
                "id       | \"\"               | must be 1 to 64 of",
                "id       | \"rules\"          | is a word of the API",
                "id       | \"requests\"       | is a word of the API",
                "burst    | 9                  | is for token_bucket alone",
                "on_error | \"panic\"          | must be one of open, closed, local",
                "shadow   | \"yes\"            | must be true or false",
                "slice    | 0                  | must be 1 to 5, not 0",
                "slice    | 6                  | must be 1 to 5, not 6",
                "lease    | \"1s\"             | needs a slice",
                "colour   | \"red\"            | unknown field",
            })
    void aBadFieldIsRefusedByItsNameAndNothingIsStored(String field, String value, String reason) {
        var version = tree(put("[" + LOGIN + "]")).get("version");
        var answer = put("[" + API + "," + ruleWith(field, value) + "]");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(errors(answer)).containsExactly("[1]." + field);
        assertThat(tree(answer).at("/errors/0/message").asText()).contains(reason);
        assertThat(server.json("/limits/rules").get("version")).isEqualTo(version);
    }

    @Test
    void everythingThatIsWrongIsToldAtOnce() {
        var answer = put("[" + ruleWith("limit", "0") + "," + ruleWith("algorithm", "\"x\"") + ","
                + ruleWith("window", "null") + ",null]");
        assertThat(errors(answer))
                .contains("[0].limit", "[1].algorithm", "[2].window", "[3]")
                .contains("[1].id", "[2].id");
        var twins = put("[" + LOGIN + "," + API + "," + LOGIN + "]");
        assertThat(errors(twins)).containsExactly("[2].id");
        assertThat(tree(twins).at("/errors/0/message").asText()).isEqualTo("\"login\" is given twice");
        assertThat(put("{}").statusCode()).isEqualTo(400);
        assertThat(put("").statusCode()).isEqualTo(400);
    }

    @Test
    void aLogIsForSmallLimitsAndABurstMustRefillInAYear() {
        assertThat(errors(put("[" + LOGIN.replace("fixed_window", "sliding_log").replace("5", "10001") + "]")))
                .containsExactly("[0].limit");
        assertThat(errors(put("[" + API.replace("\"burst\":20", "\"burst\":1000000000") + "]")))
                .containsExactly("[0].burst");
    }

    @Test
    void theVersionIsAMeter() {
        var version = tree(put("[" + LOGIN + "]")).get("version").asLong();
        assertThat(server.get("/metrics").body())
                .contains("hotstate_limits_rules_version " + version + ".0")
                .contains("hotstate_limits_rules 1.0");
    }

    private static String ruleWith(String field, String value) {
        return LOGIN.contains("\"" + field + "\"")
                ? LOGIN.replaceFirst("\"" + field + "\":[^,}]+", "\"" + field + "\":" + value.replace("\\", "\\\\"))
                : LOGIN.replace("}", ",\"" + field + "\":" + value + "}");
    }

    private static HttpResponse<String> put(String json) {
        return put(json, "/limits/rules");
    }

    private static HttpResponse<String> put(String json, String path, String... headers) {
        var all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(List.of(headers));
        return server.call("PUT", path, json, all.toArray(String[]::new));
    }

    private static List<String> errors(HttpResponse<String> answer) {
        return tree(answer).findValuesAsText("field");
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
