package dev.hotstate.limits;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The door itself: names, costs and waiting. */
@ExtendWith(Testkit.class)
class RateLimiterIT extends LimiterFixture {

    private final RedisServer server;

    RateLimiterIT(RedisServer server) {
        super(server);
        this.server = server;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user:123",
                "{braces}",
                "new\nline",
                "~tilde",
                "ümlaut",
                "a",
                "%41",
                "fifteen-bytes-1",
                "sixteen-bytes-12"
            })
    void everySubjectHasACounterOfItsOwn(String subject) {
        hold(rule("r", Algorithm.FIXED_WINDOW, 1), rule("r".repeat(64), Algorithm.SLIDING_LOG, 1));
        Call call = Call.of(List.of(new Check("r", subject), new Check("r".repeat(64), subject)));

        assertThat(limiter.tryAcquire(call).isAllowed()).isTrue();
        assertThat(limiter.tryAcquire(call).isAllowed()).isFalse();
        assertThat(limiter.tryAcquire("r", subject + "!").isAllowed()).isTrue();
        assertThat(server.keys()).allMatch(key -> key.length() < 100);
    }

    @Test
    void aRuleThatIsGoneTakesItsMetersWithIt() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (RateLimiter counted = new RateLimiter(redis, () -> rules, meters)) {
            hold(rule("gone", Algorithm.FIXED_WINDOW, 1), rule("stays", Algorithm.FIXED_WINDOW, 1));
            counted.tryAcquire("gone", "ann");
            counted.tryAcquire("gone", "ann");
            counted.tryAcquire("stays", "ann");

            hold(rule("stays", Algorithm.FIXED_WINDOW, 2));
            counted.tryAcquire("stays", "ann");

            assertThat(meters.find("hotstate.limits.decisions").counters())
                    .singleElement()
                    .satisfies(stays -> {
                        assertThat(stays.getId().getTag("rule")).isEqualTo("stays");
                        assertThat(stays.count()).isEqualTo(2);
                    });
        }
    }

    @Test
    void theLargestLogIsSpentInOneCall() {
        hold(rule("r", Algorithm.SLIDING_LOG, Rule.MAX_LOG));

        assertThat(only(limiter.tryAcquire(costing("r", 4_500))).remaining()).isEqualTo(5_500);
        assertThat(only(limiter.tryAcquire(costing("r", 5_500))).remaining()).isZero();
        assertThat(limiter.tryAcquire("r", "ann").retryAfter()).isEqualTo(MINUTE);
    }

    @Test
    void whatNoRuleCouldEverAllowIsRefusedBeforeRedisIsAsked() {
        hold(rule("r", Algorithm.FIXED_WINDOW, 5));

        assertThatThrownBy(() -> limiter.tryAcquire(costing("r", 6)))
                .isInstanceOf(CostTooHighException.class)
                .hasMessage("cost must be at most 5 under the rule \"r\", not 6");
        assertThatThrownBy(() -> limiter.tryAcquire("unknown", "ann"))
                .isInstanceOfSatisfying(
                        UnknownRuleException.class, e -> assertThat(e.rule()).isEqualTo("unknown"));
        assertThatThrownBy(() -> limiter.tryAcquire("r", "x".repeat(10_000_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("subject must be 1 to 256 bytes");
        assertThat(server).isEmpty();
    }

    @Test
    void aCallThatCannotBeLetThroughInTimeIsGivenUpAtOnce() {
        hold(rule("r", Algorithm.FIXED_WINDOW, 1));
        limiter.tryAcquire("r", "ann");

        assertThatThrownBy(() -> limiter.acquire(Call.of("r", "ann"), MINUTE.minus(MICRO)))
                .isInstanceOfSatisfying(
                        LimitExceededException.class,
                        e -> assertThat(e.decision().retryAfter()).isEqualTo(MINUTE));
    }

    @Test
    void aPatientCallerIsLetThroughWhenItsTimeComes() throws InterruptedException {
        try (Redis real = Redis.connect(
                        RedisOptions.of(server.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10)),
                        KEYSPACE,
                        TestMeters.REGISTRY);
                RateLimiter inRealTime = new RateLimiter(
                        real, RuleSource.of(Rule.tokenBucket("r", 1, Duration.ofMillis(30), 1)), TestMeters.REGISTRY)) {
            for (int i = 0; i < 5; i++) {
                assertThat(inRealTime.acquire(Call.of("r", "ann"), MINUTE).isAllowed())
                        .isTrue();
            }
        }
    }

    @Test
    void nothingThatChangesFromCallToCallIsSentSoNoClockOfACallerCounts() {
        try (Redis real = Redis.connect(
                        RedisOptions.of(server.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10)),
                        KEYSPACE,
                        TestMeters.REGISTRY);
                RateLimiter inRealTime = new RateLimiter(
                        real, RuleSource.of(rule("r", Algorithm.TOKEN_BUCKET, 9)), TestMeters.REGISTRY)) {
            inRealTime.tryAcquire("r", "ann");
            server.commands().slowlogReset();
            server.commands().configSet("slowlog-log-slower-than", "0");
            inRealTime.tryAcquire("r", "ann");
            inRealTime.tryAcquire("r", "ann");
            server.commands().configSet("slowlog-log-slower-than", "10000");

            List<String> sent = server.commands().slowlogGet().stream()
                    .map(entry -> ((List<?>) entry).get(3).toString())
                    .filter(command -> command.startsWith("[EVALSHA"))
                    .toList();
            assertThat(sent).hasSize(2);
            assertThat(sent.getFirst()).isEqualTo(sent.getLast());
        }
    }
}
