package dev.hotstate.server.limits;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two servers on one Redis and one PostgreSQL: what one is told holds on the other. */
@ExtendWith(Testkit.class)
class LimitsOnTwoServersIT {
    private static final Logger LOG = LoggerFactory.getLogger(LimitsOnTwoServersIT.class);
    private static RunningServer first;
    private static RunningServer second;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        // A Redis that is slow for a moment decides all the same; without it a rule would be open.
        var patient = Map.of("HOTSTATE_REDIS_TIMEOUT", "2s");
        first = RunningServer.on(redis.uri(), database, patient);
        second = RunningServer.on(redis.uri(), database, patient);
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
    }

    @Test
    void aChangeIsLiveAtOnceWhereItWasMadeAndSoonElsewhere() {
        try (var events = second.listen("limits")) {
            apply("changing", 3);
            assertThat(check(first, "changing", "a").statusCode()).isEqualTo(200);
            var took = Eventually.until(
                    "the rule is live elsewhere",
                    () -> check(second, "changing", "b").statusCode() == 200);
            LOG.info("the other server had the rule after {} ms", took.toMillis());
            events.awaitInOrder("limits.rules_changed");
        }
        assertThat(second.part("limits").get("status").asText()).isEqualTo("up");
    }

    @Test
    void aNewLimitHoldsAgainstWhatWasSpentUnderTheOld() {
        apply("growing", 2);
        assertThat(check(first, "growing", "ann").statusCode()).isEqualTo(200);
        assertThat(check(first, "growing", "ann").statusCode()).isEqualTo(200);
        assertThat(check(first, "growing", "ann").statusCode()).isEqualTo(429);

        apply("growing", 3);
        assertThat(check(first, "growing", "ann").statusCode())
                .as("one more, not three")
                .isEqualTo(200);
        Eventually.until("the other server has it", () -> limit(second, "growing") == 3);
        assertThat(check(second, "growing", "ann").statusCode()).isEqualTo(429);

        apply("growing", 1);
        assertThat(check(first, "growing", "ann").statusCode()).isEqualTo(429);
        assertThat(first.json("/limits/growing/ann").get("remaining").asLong()).isZero();
    }

    @Test
    void aDenialThatIsRememberedElsewhereIsForgottenWithAReset() {
        apply("resetting", 1);
        Eventually.until(
                "the other server has it",
                () -> check(second, "resetting", "ann").statusCode() == 200);
        assertThat(check(second, "resetting", "ann").statusCode()).isEqualTo(429);
        assertThat(tree(check(second, "resetting", "ann"))
                        .at("/checks/0/decided_by")
                        .asText())
                .as("this one remembers")
                .isEqualTo("local");

        assertThat(first.call("DELETE", "/limits/resetting/ann", "").statusCode())
                .isEqualTo(204);
        Eventually.until("it forgets", () -> check(second, "resetting", "ann").statusCode() == 200);
    }

    @Test
    void aChangeInFlightIsOneRuleOrTheOtherAndNothingElse() throws Exception {
        apply("flying", 1_000_000);
        Eventually.until(
                "the other server has it", () -> check(second, "flying", "x").statusCode() == 200);
        var answers = new ConcurrentLinkedQueue<Integer>();
        var callers = IntStream.range(0, 8)
                .mapToObj(i -> Thread.ofVirtual().start(() -> {
                    for (int call = 0; call < 100; call++) {
                        answers.add(check(i % 2 == 0 ? first : second, "flying", "s" + i)
                                .statusCode());
                    }
                }))
                .toList();
        for (int change = 0; change < 10; change++) {
            apply(change % 2 == 0 ? "other" : "flying", 1_000_000 - change);
        }
        for (var caller : callers) {
            caller.join();
        }
        assertThat(answers).hasSize(800).containsOnly(200, 400);
        assertThat(answers).as("the last rule is there").contains(200);
    }

    private static void apply(String rule, long limit) {
        var rules = "[{\"id\":\"%s\",\"algorithm\":\"fixed_window\",\"limit\":%d,\"window\":\"10m\"}]"
                .formatted(rule, limit);
        assertThat(first.call("PUT", "/limits/rules", rules, "Content-Type", "application/json")
                        .statusCode())
                .isEqualTo(200);
    }

    private static long limit(RunningServer server, String rule) {
        var items = server.json("/limits/rules").get("items");
        return items.path(0).path("id").asText().equals(rule)
                ? items.get(0).get("limit").asLong()
                : 0;
    }

    private static HttpResponse<String> check(RunningServer server, String rule, String subject) {
        return server.post(
                "/limits/check", "{\"checks\":[{\"rule\":\"%s\",\"subject\":\"%s\"}]}".formatted(rule, subject));
    }
}
