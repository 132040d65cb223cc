package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.hotstate.core.Keyspace;
import dev.hotstate.core.MemoryModel;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a subject weighs in Redis, against what {@link LimitKeys} says; with the longest names and the largest numbers. */
@ExtendWith(Testkit.class)
class LimitMemoryIT {
    private static final Keyspace KEYSPACE = Keyspace.of("it:a-prefix-of-32-characters:abc", LimitKeys.SERVICE);
    private static final Duration YEAR = Duration.ofDays(366);
    private static final String SUBJECT = "a subject that is too long for a key";

    private final RedisServer server;

    LimitMemoryIT(RedisServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @CsvSource({"FIXED_WINDOW,1000000000", "SLIDING_WINDOW,1000000000", "TOKEN_BUCKET,999999937"})
    void aCounterWeighsAtMost240BytesWhateverTheLimit(Algorithm algorithm, long limit) {
        Rule rule = switch (algorithm) {
            case FIXED_WINDOW -> Rule.fixedWindow("r".repeat(64), limit, YEAR);
            case SLIDING_WINDOW -> Rule.slidingWindow("r".repeat(64), limit, YEAR);
            default -> Rule.tokenBucket("r".repeat(64), limit, YEAR, limit);
        };

        assertThat(weigh(rule, limit)).isLessThanOrEqualTo(240);
    }

    @Test
    void aFurtherRuleOfTheSubjectWeighsAtMost100Bytes() {
        List<Rule> rules = IntStream.range(0, 16)
                .mapToObj(i -> Rule.slidingWindow("r" + i, 1_000, YEAR))
                .toList();
        for (int i = 2; i <= rules.size(); i++) {
            assertThat(weighTogether(rules.subList(0, i))).as(i + " rules").isLessThanOrEqualTo(240 + 100 * (i - 1));
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "10", "100", "128", "129", "1000", "10000"})
    void aLogWeighsAtMost240BytesAnd150AUnit(long limit) {
        assertThat(weigh(Rule.slidingLog("r".repeat(64), limit, YEAR), limit)).isLessThanOrEqualTo(240 + 150 * limit);
    }

    @Test
    void theKeyspaceDocumentsEstimateIsNearTheTruth() {
        long counter = weigh(Rule.fixedWindow("r".repeat(64), 100, YEAR), 100);
        long log = weigh(Rule.slidingLog("r".repeat(64), 100, YEAR), 100);

        assertThat(MemoryModel.bytesPerKey(KEYSPACE, LimitKeys.COUNTER)).isCloseTo(counter, withinPercentage(25));
        assertThat(MemoryModel.bytesPerKey(KEYSPACE, LimitKeys.LOG)).isCloseTo(log, withinPercentage(25));
    }

    private long weigh(Rule rule, long cost) {
        server.flushAll();
        spend(List.of(rule), cost);
        return exactBytes(server.keys().first());
    }

    /** One after the other, as the key grows. */
    private long weighTogether(List<Rule> rules) {
        server.flushAll();
        spend(rules, 1);
        assertThat(server.keys()).hasSize(1);
        return exactBytes(server.keys().first());
    }

    private void spend(List<Rule> rules, long cost) {
        try (Redis redis = Redis.connect(
                        RedisOptions.of(server.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10)),
                        KEYSPACE,
                        TestMeters.REGISTRY);
                RateLimiter limiter =
                        new RateLimiter(redis, RuleSource.of(rules.toArray(Rule[]::new)), TestMeters.REGISTRY)) {
            for (Rule rule : rules) {
                // The second time it is written into, and no longer as small as it was made.
                for (long units : List.of(cost - cost / 2, cost / 2)) {
                    Call call = Call.of(rule.id(), SUBJECT).costing(Math.max(1, units));
                    assertThat(units == 0 || limiter.tryAcquire(call).isAllowed())
                            .isTrue();
                }
            }
        }
    }

    /** Of all entries: five, as Redis looks at by itself, may be five of the few with many links. */
    private long exactBytes(String key) {
        return server.commands()
                .dispatch(
                        CommandType.MEMORY,
                        new IntegerOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8)
                                .add("USAGE")
                                .addKey(key)
                                .add("SAMPLES")
                                .add(0));
    }
}
