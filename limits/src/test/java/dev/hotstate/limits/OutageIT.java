package dev.hotstate.limits;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis goes away in several ways, and comes back; each rule decides as it says, at once. */
class OutageIT {
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final RuleSource RULES = RuleSource.of(
            Rule.fixedWindow("open", 5, WINDOW),
            Rule.fixedWindow("closed", 5, WINDOW).onError(OnError.CLOSED),
            Rule.slidingLog("local", 5, WINDOW).onError(OnError.LOCAL),
            Rule.slidingLog("local2", 3, WINDOW).onError(OnError.LOCAL),
            Rule.fixedWindow("shadow", 5, WINDOW).onError(OnError.CLOSED).inShadow());

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RedisServer server = RedisServer.start();
    private final TcpProxy proxy = TcpProxy.to(server.port());
    private final Redis redis = Redis.connect(
            RedisOptions.of("redis://127.0.0.1:" + proxy.port())
                    .withTimeout(Duration.ofMillis(100), Duration.ofMillis(300))
                    .withBreaker(new RedisOptions.Breaker(5, Duration.ofMinutes(5), Duration.ofMillis(50))),
            LimiterFixture.KEYSPACE,
            meters);
    private final RateLimiter limiter = new RateLimiter(redis, RULES, meters);

    @AfterEach
    void end() {
        limiter.close();
        redis.close();
        proxy.close();
        server.close();
    }

    @Test
    void whenRedisIsCutOffEachRuleDecidesAsItSays() {
        proxy.cut();
        awaitOpenCircuit();

        Decision open = limiter.tryAcquire("open", "ann");
        assertThat(open.isAllowed()).isTrue();
        assertThat(open.verdicts()).extracting(Verdict::decidedBy).containsExactly(DecidedBy.OPEN);

        Decision closed = limiter.tryAcquire("closed", "ann");
        assertThat(closed)
                .isInstanceOfSatisfying(
                        Decision.Denied.class,
                        denied -> assertThat(denied.isClosed()).isTrue());
        assertThat(closed.retryAfter()).isPositive();

        for (int i = 0; i < 5; i++) {
            assertThat(limiter.tryAcquire("local", "ann").isAllowed()).isTrue();
        }
        Decision local = limiter.tryAcquire("local", "ann");
        assertThat(local)
                .isInstanceOfSatisfying(
                        Decision.Denied.class,
                        denied -> assertThat(denied.isClosed()).isFalse());
        assertThat(local.verdicts()).extracting(Verdict::decidedBy).containsExactly(DecidedBy.LOCAL);

        Decision shadow = limiter.tryAcquire("shadow", "ann");
        assertThat(shadow.isAllowed()).isTrue();
        assertThat(shadow.verdicts()).extracting(Verdict::shadowDenied).containsExactly(true);
        assertThat(decisions("shadow", "shadow_denied", "closed")).isEqualTo(1);
        assertThat(decisions("local", "denied", "local")).isEqualTo(1);
        assertThat(decisions("local", "allowed", "local")).isEqualTo(5);
    }

    @Test
    void aCallOfSeveralRulesSpendsLocallyAllOrNothing() {
        proxy.cut();
        awaitOpenCircuit();
        Call both = call("local", "local2", "open");
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.tryAcquire(both).isAllowed()).isTrue();
        }

        Decision denied = limiter.tryAcquire(both);
        assertThat(denied.verdicts()).extracting(Verdict::allowed).containsExactly(true, false, true);
        limiter.tryAcquire(call("local", "closed"));

        assertThat(limiter.tryAcquire(call("local")).verdicts())
                .extracting(Verdict::remaining)
                .containsExactly(1L);
    }

    @Test
    void whileTheCircuitIsOpenNothingIsSentAndSoNothingIsWaitedFor() {
        proxy.blackhole();
        awaitOpenCircuit();
        double refused = failures("circuit_open");

        for (int i = 0; i < 10_000; i++) {
            limiter.tryAcquire("open", "s" + i % 100);
        }

        assertThat(failures("circuit_open") - refused).isEqualTo(10_000);
    }

    @Test
    void aRedisThatIsBackDecidesAgainAndKnowsWhatWasSpentBefore() {
        limiter.tryAcquire(call("open").costing(4));
        server.pause();
        awaitOpenCircuit();
        for (int i = 0; i < 100; i++) {
            assertThat(limiter.tryAcquire("open", "ann").isAllowed()).isTrue();
        }

        server.resume();
        Eventually.until("Redis decides", () -> decidedBy("open", "bob") == DecidedBy.REDIS);

        assertThat(answerOfRedis("ann").remaining()).isZero();
        assertThat(answerOfRedis("ann").allowed()).isFalse();
        assertThat(server).everyKeyHasLifetime(key -> false);
        assertThat(server.keys())
                .isNotEmpty()
                .allMatch(key -> LimiterFixture.KEYSPACE.find(key).isPresent());
    }

    @Test
    void aRefundWithoutRedisSaysSoAndGivesNothingBack() {
        limiter.tryAcquire(call("open").costing(4));
        proxy.cut();
        awaitOpenCircuit();

        assertThatThrownBy(() -> limiter.refund(call("open").costing(4))).isInstanceOf(RedisUnavailableException.class);

        proxy.restore();
        Eventually.until("Redis decides", () -> decidedBy("open", "bob") == DecidedBy.REDIS);
        assertThat(answerOfRedis("ann").remaining()).isZero();
    }

    @Test
    void aRedisThatRefusesIsAsGoodAsAway() {
        server.commands().configSet("maxmemory", "1");

        assertThat(decidedBy("local", "ann")).isEqualTo(DecidedBy.LOCAL);
        assertThat(decidedBy("closed", "ann")).isEqualTo(DecidedBy.CLOSED);
    }

    private void awaitOpenCircuit() {
        Eventually.until("the circuit is open", () -> {
            limiter.tryAcquire("open", "probe");
            return redis.usage().circuits().containsValue("open");
        });
    }

    /** A busy machine may take longer than the deadline of a call, and then it is open once more. */
    private Verdict answerOfRedis(String subject) {
        AtomicReference<Verdict> answer = new AtomicReference<>();
        Eventually.until("Redis decides about " + subject, () -> {
            answer.set(limiter.tryAcquire("open", subject).verdicts().getFirst());
            return answer.get().decidedBy() != DecidedBy.OPEN;
        });
        return answer.get();
    }

    private DecidedBy decidedBy(String rule, String subject) {
        return limiter.tryAcquire(rule, subject).verdicts().getFirst().decidedBy();
    }

    private static Call call(String... rules) {
        return Call.of(
                List.of(rules).stream().map(rule -> new Check(rule, "ann")).toList());
    }

    private double failures(String reason) {
        return meters.get("hotstate.redis.failures")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private double decisions(String rule, String outcome, String decidedBy) {
        return meters.get("hotstate.limits.decisions")
                .tags("rule", rule, "outcome", outcome, "decided_by", decidedBy)
                .counter()
                .count();
    }
}
