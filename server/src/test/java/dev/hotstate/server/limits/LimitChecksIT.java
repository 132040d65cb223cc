package dev.hotstate.server.limits;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.hotstate.server.Features;
import dev.hotstate.server.RunningServer;
import dev.hotstate.server.config.Settings;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /limits/check} and what belongs to it, over HTTP, on a real Redis. Every test has subjects of its own. */
@ExtendWith(Testkit.class)
class LimitChecksIT {
    private static final String RULES = """
            - {id: few, algorithm: fixed_window, limit: 3, window: 10m}
            - {id: many, algorithm: sliding_window, limit: 100, window: 90s}
            - {id: exact, algorithm: sliding_log, limit: 2, window: 10m}
            - {id: bucket, algorithm: token_bucket, limit: 2, window: 10m, burst: 4}
            - {id: quick, algorithm: token_bucket, limit: 1000, window: 500ms}
            - {id: looking, algorithm: fixed_window, limit: 1, window: 10m, shadow: true}
            """;
    private static final long ETERNAL = -1;
    private static RedisServer redis;
    private static RunningServer server;

    @BeforeAll
    static void start(RedisServer started, PostgresDatabase database) {
        redis = started;
        // A Redis that is slow for a moment decides all the same; without it a rule would be open.
        server = RunningServer.on(
                redis.uri(), database, Map.of("HOTSTATE_HTTP_MAX_BODY", "32MB", "HOTSTATE_REDIS_TIMEOUT", "2s"));
        assertThat(server.call("PUT", "/limits/rules", RULES, "Content-Type", "application/yaml")
                        .statusCode())
                .isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aLimitIsSpentAndThenDeniesWithTheTimeToComeBack() {
        for (int left = 2; left >= 0; left--) {
            var allowed = check("few", "ann");
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(tree(allowed).get("allowed").asBoolean()).isTrue();
            var one = tree(allowed).at("/checks/0");
            assertThat(one.get("remaining").asLong()).isEqualTo(left);
            assertThat(one.get("limit").asLong()).isEqualTo(3);
            assertThat(one.get("retry_after_ms").asLong()).isZero();
            assertThat(one.get("decided_by").asText()).isEqualTo("redis");
            assertThat(one.has("shadow")).isFalse();
            assertThat(header(allowed, "RateLimit")).matches("\"few\";r=" + left + ";t=\\d+");
            assertThat(header(allowed, "RateLimit-Policy")).isEqualTo("\"few\";q=3;w=600");
            assertThat(allowed.headers().firstValue("Retry-After")).isEmpty();
        }
        var denied = check("few", "ann");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(tree(denied).get("allowed").asBoolean()).isFalse();
        var one = tree(denied).at("/checks/0");
        assertThat(one.get("allowed").asBoolean()).isFalse();
        long wait = one.get("retry_after_ms").asLong();
        assertThat(wait).isBetween(1L, 600_000L);
        assertThat(header(denied, "Retry-After")).isEqualTo(String.valueOf((wait + 999) / 1000));
        assertThat(header(denied, "RateLimit")).startsWith("\"few\";r=0;t=");
    }

    @Test
    void severalRulesUnderOneTagAreSpentTogetherOrNotAtAll() {
        var both = body("acme", 1, "few", "acme", "many", "bob");
        for (int i = 0; i < 3; i++) {
            assertThat(post("/limits/check", both).statusCode()).isEqualTo(200);
        }
        var denied = post("/limits/check", both);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(tree(denied).at("/checks/0/allowed").asBoolean()).isFalse();
        assertThat(tree(denied).at("/checks/1/allowed").asBoolean()).isTrue();
        assertThat(header(denied, "RateLimit")).matches("\"few\";r=0;t=\\d+, \"many\";r=97;t=\\d+");
        assertThat(header(denied, "RateLimit-Policy")).isEqualTo("\"few\";q=3;w=600, \"many\";q=100;w=90");
        assertThat(state("many", "bob", "acme").get("remaining").asLong())
                .as("a denial spends nothing")
                .isEqualTo(97);
        assertThat(state("many", "bob", "other").get("remaining").asLong())
                .as("a counter belongs to its tag")
                .isEqualTo(100);
    }

    @Test
    void ofOneRuleForTwoSubjectsTheTighterIsInTheHeader() {
        assertThat(post("/limits/check", body("pair", 2, "few", "left")).statusCode())
                .isEqualTo(200);
        var both = post("/limits/check", body("pair", 1, "few", "left", "few", "right"));
        assertThat(both.statusCode()).isEqualTo(200);
        assertThat(header(both, "RateLimit")).matches("\"few\";r=0;t=\\d+");
    }

    @Test
    void aWindowShorterThanASecondIsOneInTheHeader() {
        assertThat(header(check("quick", "q"), "RateLimit-Policy")).isEqualTo("\"quick\";q=1000;w=1");
    }

    @Test
    void aRuleInShadowDeniesNothingAndSaysWhatItWouldHave() {
        assertThat(tree(check("looking", "eve")).at("/checks/0/shadow_denied").asBoolean())
                .isFalse();
        var over = check("looking", "eve");
        assertThat(over.statusCode()).isEqualTo(200);
        assertThat(tree(over).at("/checks/0/allowed").asBoolean()).isTrue();
        assertThat(tree(over).at("/checks/0/shadow").asBoolean()).isTrue();
        assertThat(tree(over).at("/checks/0/shadow_denied").asBoolean()).isTrue();
        assertThat(over.headers().firstValue("RateLimit")).isEmpty();
    }

    @Test
    void aCostIsSpentAsAWholeAndGivenBack() {
        var three = body(null, 3, "few", "cost");
        assertThat(post("/limits/check", three).statusCode()).isEqualTo(200);
        assertThat(check("few", "cost").statusCode()).isEqualTo(429);
        var refunded = post("/limits/refund", body(null, 2, "few", "cost"));
        assertThat(refunded.statusCode()).isEqualTo(204);
        assertThat(refunded.body()).isEmpty();
        assertThat(state("few", "cost", null).get("remaining").asLong()).isEqualTo(2);
        assertThat(check("few", "cost").statusCode()).isEqualTo(200);
    }

    @Test
    void oneSubjectIsShownWithoutSpendingAndReset() {
        post("/limits/check", body("shop", 2, "exact", "a/b c%{x}"));
        var path = "/limits/exact/a%2Fb%20c%25%7Bx%7D?tag=shop";
        for (int i = 0; i < 2; i++) {
            var shown = server.json(path);
            assertThat(shown.get("subject").asText()).isEqualTo("a/b c%{x}");
            assertThat(shown.get("tag").asText()).isEqualTo("shop");
            assertThat(shown.get("remaining").asLong()).isZero();
            assertThat(shown.get("reset_after_ms").asLong()).isPositive();
        }
        try (var events = server.listen("limits")) {
            assertThat(server.call("DELETE", path, "").statusCode()).isEqualTo(204);
            events.awaitInOrder("limits.reset");
        }
        assertThat(server.json(path).get("remaining").asLong()).isEqualTo(2);
        assertThat(server.json(path).get("reset_after_ms").asLong()).isZero();
    }

    @Test
    void aSubjectAndATagWithControlCharactersAreShownAndResetToo() {
        var path = "/limits/few/a%0Ab%00?tag=%7Bshop%7D%0D%0A";
        post("/limits/check", body("{shop}\\r\\n", 3, "few", "a\\nb\\u0000"));
        assertThat(server.json(path).get("subject").asText()).isEqualTo("a\nb\0");
        assertThat(server.json(path).get("tag").asText()).isEqualTo("{shop}\r\n");
        assertThat(server.json(path).get("remaining").asLong()).isZero();
        assertThat(server.call("DELETE", path, "").statusCode()).isEqualTo(204);
        assertThat(server.json(path).get("remaining").asLong()).isEqualTo(3);
        assertThat(server.get("/limits/f%0Aew/ann").statusCode()).isEqualTo(400);
    }

    @Test
    void anUnknownRuleIsNotFoundByPath() {
        assertThat(server.get("/limits/nothing/ann").statusCode()).isEqualTo(404);
        assertThat(server.call("DELETE", "/limits/nothing/ann", "").statusCode())
                .isEqualTo(404);
        assertThat(server.get("/limits/few/" + "x".repeat(257)).statusCode()).isEqualTo(400);
        assertThat(server.get("/limits/few/ann?tag=").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'checks':[{'rule':'few','subject':'s'},{'rule':'none','subject':'s'}]}  | checks[1].rule    | there is no rule",
                "{'checks':[{'rule':'few','subject':''}]}                                 | checks[0].subject | must be 1 to 256 bytes",
                "{'checks':[{'rule':'few'}]}                                              | checks[0].subject | is required",
                "{'checks':[{'subject':'s'}]}                                             | checks[0].rule    | is required",
                "{'checks':[null]}                                                        | checks[0].rule    | is required",
                "{'checks':[{'rule':'few','subject':7}]}                                  | checks[0].subject | must be a text",
                "{'cost':0,'checks':[{'rule':'few','subject':'s'}]}                       | cost              | must be at least 1, not 0",
                "{'cost':-1,'checks':[{'rule':'few','subject':'s'}]}                      | cost              | must be at least 1, not -1",
                "{'cost':4,'checks':[{'rule':'few','subject':'s'}]}                       | cost              | must be at most 3",
                "{'cost':5,'checks':[{'rule':'bucket','subject':'s'}]}                    | cost              | must be at most 4",
                "{'cost':1.5,'checks':[{'rule':'few','subject':'s'}]}                     | cost              | must be a whole number",
                "{'cost':99999999999999999999,'checks':[{'rule':'few','subject':'s'}]}    | cost              | must be a whole number",
                "{'checks':[{'rule':'few','subject':'a'},{'rule':'many','subject':'b'}]}  | tag               | must be given",
                "{'tag':'','checks':[{'rule':'few','subject':'a'}]}                       | tag               | must be 1 to 256 bytes",
                "{'checks':[{'rule':'few','subject':'s'},{'rule':'few','subject':'s'}]}   | checks[1]         | is given twice",
                "{'checks':[]}                                                            | checks            | must be 1 to 16, not 0",
                "{}                                                                       | checks            | is required",
                "{'checks':'all'}                                                         | checks            | must be a list",
                "{'chekcs':[]}                                                            | chekcs            | unknown field",
                "{'checks':[{'rule':'few','subject':'s','cost':1}]}                       | checks[0].cost    | unknown field",
            })
    void whatCannotBeAskedIsRefusedByItsField(String body, String field, String reason) {
        for (var path : List.of("/limits/check", "/limits/refund")) {
            var answer = post(path, body.replace('\'', '"'));
            assertThat(answer.statusCode()).as(path).isEqualTo(400);
            assertThat(tree(answer).findValuesAsText("field")).contains(field);
            assertThat(answer.body()).contains(reason);
        }
        assertThat(state("few", "s", null).get("remaining").asLong())
                .as("nothing of it was spent")
                .isEqualTo(3);
    }

    @Test
    void seventeenChecksAreTooMany() {
        var parts = IntStream.range(0, 17)
                .boxed()
                .flatMap(i -> Stream.of("few", "s" + i))
                .toArray(String[]::new);
        var answer = post("/limits/check", body("t", 1, parts));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("must be 1 to 16, not 17");
    }

    @Test
    void aSubjectOfTenMegabytesIsRefusedByItsField() {
        var answer = check("few", "x".repeat(10 << 20));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(tree(answer).findValuesAsText("field")).containsExactly("checks[0].subject");
        assertThat(answer.body().length()).isLessThan(1_000);
        assertThat(check("few", "é".repeat(128)).statusCode()).as("256 bytes").isEqualTo(200);
        assertThat(check("few", "é".repeat(129)).statusCode()).as("258 bytes").isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a}{b}",
                "}{",
                "a\\nb",
                "a\\u0000b",
                "{t}:rate_limit:few:x",
                "~",
                "%7B",
                "日本 😀",
                "x y",
                "*",
                "a:b:c"
            })
    void whateverTheSubjectItHasACounterOfItsOwn(String subject) {
        var body = body(subject, 1, "few", subject, "exact", subject);
        assertThat(post("/limits/check", body).statusCode()).isEqualTo(200);
        assertThat(post("/limits/check", body).statusCode()).isEqualTo(200);
        assertThat(post("/limits/check", body).statusCode()).isEqualTo(429);
        everyKeyIsDeclaredAndHasItsLifetime();
    }

    @Test
    void halfACharacterIsNoSubject() {
        var answer = post("/limits/check", "{\"checks\":[{\"rule\":\"few\",\"subject\":\"\\ud83d\"}]}");
        assertThat(answer.statusCode()).isEqualTo(400);
    }

    /** Statistics may lose a second, so it goes on asking until they show. */
    @Test
    void whatWasDecidedIsCounted() {
        Eventually.until("the denied subject is told", () -> {
            check("few", "greedy");
            return server.json("/limits/top")
                    .get("items")
                    .toString()
                    .contains("{\"rule\":\"few\",\"tag\":\"greedy\",\"subject\":\"greedy\",\"denied\":");
        });
        assertThat(server.json("/limits/top?limit=1").get("items")).hasSize(1);
        assertThat(server.get("/limits/top?limit=0").statusCode()).isEqualTo(400);

        Eventually.until("a step with denials and allowances is over", () -> {
            check("few", "greedy");
            check("many", "calm");
            var rates = server.json("/limits/rates");
            return sum(series(rates, "few").path("denied")) > 0
                    && sum(series(rates, "many").path("allowed")) > 0;
        });
        var rates = server.json("/limits/rates");
        assertThat(rates.get("step").asText()).isEqualTo("10s");
        assertThat(rates.get("points").asInt()).isEqualTo(90);
        assertThat(rates.get("until").asText()).endsWith("Z");
        assertThat(series(rates, "few").get("shadow_denied")).hasSize(90);
    }

    @Test
    void prometheusIsToldWhatItsFiguresMean() {
        check("few", "measured");
        assertThat(server.get("/metrics").body())
                .contains("# HELP hotstate_limits_decisions_total Checks that a rule allowed")
                .contains("# HELP hotstate_limits_rules How many rules")
                .contains("# HELP hotstate_limits_rules_version The version");
    }

    /** Denials of other tests may still come in while it pages, and move the ranks. */
    @Test
    void whoWasDeniedMostIsReadPageByPage() {
        for (var subject : List.of("page-1", "page-2", "page-3")) {
            post("/limits/check", body(null, 2, "exact", subject));
        }
        Eventually.until("the pages together are the list", () -> {
            List.of("page-1", "page-2", "page-3").forEach(subject -> check("exact", subject));
            var whole = server.json("/limits/top").get("items").findValuesAsText("subject");
            return whole.containsAll(List.of("page-1", "page-2", "page-3"))
                    && subjectsOneByOne().equals(whole);
        });
        assertThat(server.get("/limits/top?cursor=here").statusCode()).isEqualTo(400);
    }

    private static List<String> subjectsOneByOne() {
        var subjects = new ArrayList<String>();
        var cursor = "";
        do {
            var page = server.json("/limits/top?limit=1" + cursor);
            subjects.addAll(page.get("items").findValuesAsText("subject"));
            cursor = page.get("next_cursor").isNull()
                    ? null
                    : "&cursor=" + page.get("next_cursor").asText();
        } while (cursor != null);
        return subjects;
    }

    private static JsonNode series(JsonNode rates, String rule) {
        for (var item : rates.get("items")) {
            if (item.get("rule").asText().equals(rule)) {
                return item;
            }
        }
        return MissingNode.getInstance();
    }

    private static double sum(JsonNode values) {
        double sum = 0;
        for (var value : values) {
            sum += value.asDouble();
        }
        return sum;
    }

    private static void everyKeyIsDeclaredAndHasItsLifetime() {
        var keyspace = Features.keyspace(Settings.defaults());
        assertThat(redis.keys()).isNotEmpty().allSatisfy(key -> {
            var family = keyspace.find(key);
            assertThat(family).as(key).isPresent();
            if (family.get().owner().equals("limits")) {
                assertThat(redis.commands().pttl(key)).as(key).isNotEqualTo(ETERNAL);
            }
        });
    }

    private static HttpResponse<String> check(String rule, String subject) {
        return post("/limits/check", body(null, 1, rule, subject));
    }

    private static HttpResponse<String> post(String path, String body) {
        return server.post(path, body);
    }

    private static JsonNode state(String rule, String subject, String tag) {
        return server.json("/limits/" + rule + "/" + subject + (tag == null ? "" : "?tag=" + tag));
    }

    /** @param checks rules and subjects in turn, already escaped for JSON */
    private static String body(String tag, long cost, String... checks) {
        var items = IntStream.range(0, checks.length / 2)
                .mapToObj(i -> "{\"rule\":\"%s\",\"subject\":\"%s\"}".formatted(checks[2 * i], checks[2 * i + 1]))
                .toList();
        return "{%s\"cost\":%d,\"checks\":%s}".formatted(tag == null ? "" : "\"tag\":\"" + tag + "\",", cost, items);
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElseThrow();
    }
}
