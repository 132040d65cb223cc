package dev.hotstate.limits;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a rate limiter promises, on one Redis and on a cluster. */
abstract class LimitsContract extends LimiterFixture {

    LimitsContract(RedisTarget target) {
        super(target);
    }

    @AfterEach
    void everyCounterHasALifetime() {
        assertThat(target).everyKeyHasLifetime(key -> false);
        assertThat(target.keys()).allMatch(key -> KEYSPACE.find(key).isPresent());
    }

    @ParameterizedTest
    @EnumSource
    void theLimitIsSpentUnitByUnitAndThenDenied(Algorithm algorithm) {
        hold(rule("r", algorithm, 3));

        for (int left = 2; left >= 0; left--) {
            Verdict verdict = only(limiter.tryAcquire("r", "ann"));
            assertThat(verdict.allowed()).isTrue();
            assertThat(verdict.remaining()).isEqualTo(left);
            assertThat(verdict.retryAfter()).isZero();
            assertThat(verdict.resetAfter()).isPositive();
            assertThat(verdict.decidedBy()).isEqualTo(DecidedBy.REDIS);
        }

        Decision denied = limiter.tryAcquire("r", "ann");
        assertThat(denied.isAllowed()).isFalse();
        assertThat(only(denied).remaining()).isZero();
        assertThat(denied.retryAfter()).isPositive();
        assertThat(limiter.tryAcquire("r", "bob").isAllowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aDeniedCallIsAllowedAtItsRetryTimeAndNotAMicrosecondEarlier(Algorithm algorithm) {
        hold(rule("r", algorithm, 7));
        limiter.tryAcquire(costing("r", 3));
        clock.advance(Duration.ofSeconds(11));
        limiter.tryAcquire(costing("r", 4));
        clock.advance(Duration.ofSeconds(7));

        Duration wait = limiter.tryAcquire(costing("r", 5)).retryAfter();
        assertThat(wait).isPositive();

        clock.advance(wait.minus(MICRO));
        limiter.forget("ann", new Check("r", "ann"));
        assertThat(limiter.tryAcquire(costing("r", 5)).retryAfter()).isEqualTo(MICRO);
        clock.advance(MICRO);
        assertThat(limiter.tryAcquire(costing("r", 5)).isAllowed()).isTrue();
    }

    /** Whole numbers of a billion units and of a year in microseconds are still exact in the scripts. */
    @ParameterizedTest
    @EnumSource
    void theLargestRuleIsExactToTheMicrosecondToo(Algorithm algorithm) {
        long limit = algorithm == Algorithm.SLIDING_LOG ? 9_973 : 999_999_937;
        Duration year = Duration.ofDays(366);
        hold(new Rule("r", algorithm, limit, year, limit, OnError.OPEN, false, Optional.empty()));
        for (Duration pause : List.of(Duration.ZERO, Duration.ofDays(100), Duration.ofDays(300), Duration.ofDays(17))) {
            clock.advance(pause.plus(MICRO));
            limiter.tryAcquire(costing("r", limit / 2 - 1));
        }
        long cost = limit - 12;
        limiter.forget("ann", new Check("r", "ann"));

        Duration wait = limiter.tryAcquire(costing("r", cost)).retryAfter();
        assertThat(wait).isPositive();

        clock.advance(wait.minus(MICRO));
        limiter.forget("ann", new Check("r", "ann"));
        assertThat(limiter.tryAcquire(costing("r", cost)).retryAfter()).isEqualTo(MICRO);
        clock.advance(MICRO);
        assertThat(limiter.tryAcquire(costing("r", cost)).isAllowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void afterItsResetTimeAllOfTheQuotaIsThereAndNotAMicrosecondEarlier(Algorithm algorithm) {
        hold(rule("r", algorithm, 10));
        limiter.tryAcquire(costing("r", 4));
        clock.advance(Duration.ofSeconds(20));
        Duration reset = only(limiter.tryAcquire(costing("r", 3))).resetAfter();

        clock.advance(reset.minus(MICRO));
        assertThat(peek("r").remaining()).isLessThan(10);
        assertThat(peek("r").resetAfter()).isEqualTo(MICRO);
        clock.advance(MICRO);
        assertThat(peek("r").remaining()).isEqualTo(10);
        assertThat(peek("r").resetAfter()).isZero();
    }

    @Test
    void severalLimitsAreSpentTogetherOrNotAtAll() {
        hold(
                rule("second", Algorithm.TOKEN_BUCKET, 5),
                rule("minute", Algorithm.FIXED_WINDOW, 10),
                rule("hour", Algorithm.SLIDING_WINDOW, 10),
                rule("day", Algorithm.SLIDING_LOG, 3));
        Call call = new Call(
                "acme",
                1,
                List.of(
                        new Check("second", "acme"),
                        new Check("minute", "ann"),
                        new Check("hour", "ann"),
                        new Check("day", "POST /orders")));
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.tryAcquire(call).isAllowed()).isTrue();
        }
        Map<String, String> before = dump();

        Decision denied = limiter.tryAcquire(call);

        assertThat(denied).isInstanceOf(Decision.Denied.class);
        assertThat(denied.verdicts()).extracting(Verdict::allowed).containsExactly(true, true, true, false);
        assertThat(denied.verdicts()).extracting(Verdict::remaining).containsExactly(2L, 7L, 7L, 0L);
        assertThat(denied.verdicts())
                .extracting(verdict -> verdict.rule().id())
                .containsExactly("second", "minute", "hour", "day");
        assertThat(denied.retryAfter()).isEqualTo(MINUTE);
        assertThat(dump()).isEqualTo(before);
    }

    @Test
    void aRuleInShadowTellsWhatItWouldDenyAndDeniesNothing() {
        hold(rule("strict", Algorithm.FIXED_WINDOW, 1).inShadow(), rule("loose", Algorithm.FIXED_WINDOW, 3));
        Call call = Call.of(List.of(new Check("strict", "ann"), new Check("loose", "ann")));

        assertThat(limiter.tryAcquire(call).verdicts())
                .extracting(Verdict::shadowDenied)
                .containsExactly(false, false);
        Decision second = limiter.tryAcquire(call);

        assertThat(second.isAllowed()).isTrue();
        assertThat(second.retryAfter()).isZero();
        assertThat(second.verdicts()).extracting(Verdict::allowed).containsExactly(true, true);
        assertThat(second.verdicts()).extracting(Verdict::shadowDenied).containsExactly(true, false);
        limiter.tryAcquire(call);
        assertThat(limiter.tryAcquire(call).isAllowed()).isFalse();

        hold(rule("strict", Algorithm.FIXED_WINDOW, 5));
        assertThat(peek("strict").remaining()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void aRefundIsAvailableAgainAndNothingIsGivenTwice(Algorithm algorithm) {
        hold(rule("r", algorithm, 10));
        limiter.tryAcquire(costing("r", 8));

        limiter.refund(costing("r", 5));
        assertThat(peek("r").remaining()).isEqualTo(7);
        limiter.refund(costing("r", 10));
        assertThat(peek("r").remaining()).isEqualTo(10);
        limiter.refund(costing("r", 10));
        assertThat(peek("r").remaining()).isEqualTo(10);
        assertThat(target).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsResetWasNeverSpent(Algorithm algorithm) {
        hold(rule("r", algorithm, 2));
        limiter.tryAcquire(costing("r", 2));

        limiter.reset("ann", new Check("r", "ann"));

        assertThat(target).isEmpty();
        assertThat(limiter.tryAcquire(costing("r", 2)).isAllowed()).isTrue();
    }

    @Test
    void aChangedRuleKeepsWhatWasSpent() {
        hold(
                rule("w", Algorithm.FIXED_WINDOW, 10),
                rule("b", Algorithm.TOKEN_BUCKET, 10),
                rule("l", Algorithm.SLIDING_LOG, 10));
        Call six = Call.of(List.of(new Check("w", "ann"), new Check("b", "ann"), new Check("l", "ann")))
                .costing(6);
        limiter.tryAcquire(six);

        hold(
                Rule.slidingWindow("w", 20, Duration.ofMinutes(2)),
                Rule.tokenBucket("b", 20, Duration.ofMinutes(3), 15),
                Rule.slidingLog("l", 20, Duration.ofMinutes(2)));

        assertThat(peek("w").remaining()).isEqualTo(14);
        assertThat(peek("b").remaining()).isEqualTo(9);
        assertThat(peek("l").remaining()).isEqualTo(14);

        hold(
                rule("w", Algorithm.FIXED_WINDOW, 5),
                rule("b", Algorithm.TOKEN_BUCKET, 5),
                rule("l", Algorithm.SLIDING_LOG, 5));
        assertThat(limiter.tryAcquire(six.costing(1)).verdicts()).noneMatch(Verdict::allowed);
    }

    /** The lifetime that its units got was that of a minute. */
    @ParameterizedTest
    @EnumSource
    void whatIsDeniedUnderALongerWindowIsKeptUntilItsTime(Algorithm algorithm) {
        hold(rule("r", algorithm, 5));
        limiter.tryAcquire(costing("r", 5));
        Duration hour = Duration.ofHours(1);
        hold(new Rule("r", algorithm, 5, hour, 5, OnError.OPEN, false, Optional.empty()));

        Verdict denied = only(limiter.tryAcquire("r", "ann"));

        assertThat(denied.allowed()).isFalse();
        assertThat(denied.retryAfter()).isGreaterThan(Duration.ofMinutes(11));
        assertThat(livesFor()).isGreaterThan(denied.resetAfter().minus(MINUTE));

        Map<String, String> before = dump();
        limiter.forget("ann", new Check("r", "ann"));
        assertThat(only(limiter.tryAcquire("r", "ann")).decidedBy()).isEqualTo(DecidedBy.REDIS);
        assertThat(dump()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void whatOthersDenyAndWhatIsInShadowIsKeptUnderALongerWindowToo(Algorithm algorithm) {
        hold(rule("r", algorithm, 5), rule("full", Algorithm.FIXED_WINDOW, 1));
        Call both = Call.of(List.of(new Check("r", "ann"), new Check("full", "ann")));
        limiter.tryAcquire(both);
        Duration hour = Duration.ofHours(1);
        Rule longer = new Rule("r", algorithm, 5, hour, 5, OnError.OPEN, false, Optional.empty());
        hold(longer, rule("full", Algorithm.FIXED_WINDOW, 1));

        Decision denied = limiter.tryAcquire(both);
        assertThat(denied.verdicts()).extracting(Verdict::allowed).containsExactly(true, false);
        assertThat(livesFor())
                .isGreaterThan(denied.verdicts().getFirst().resetAfter().minus(MINUTE));

        Rule longest = new Rule("r", algorithm, 1, hour.multipliedBy(9), 1, OnError.OPEN, true, Optional.empty());
        hold(longest);
        Verdict shadow = only(limiter.tryAcquire("r", "ann"));
        assertThat(shadow.shadowDenied()).isTrue();
        assertThat(livesFor()).isGreaterThan(shadow.resetAfter().minus(MINUTE));
    }

    @ParameterizedTest
    @EnumSource
    void aRuleInShadowNeverRefusesACallHoweverMuchItCosts(Algorithm algorithm) {
        hold(
                rule("a", Algorithm.FIXED_WINDOW, 100),
                rule("small", algorithm, 5).inShadow(),
                rule("b", Algorithm.TOKEN_BUCKET, 100));
        Call call = Call.of(List.of(new Check("a", "ann"), new Check("small", "ann"), new Check("b", "ann")));

        for (long cost : List.of(6L, 1L, 6L, 7L)) {
            Decision decision = limiter.tryAcquire(call.costing(cost));
            assertThat(decision.isAllowed()).isTrue();
            assertThat(decision.verdicts()).extracting(Verdict::shadowDenied).containsExactly(false, cost > 5, false);
        }
        assertThat(peek("a").remaining()).isEqualTo(80);
        assertThat(peek("small").remaining()).isEqualTo(4);
        assertThat(peek("b").remaining()).isEqualTo(80);
        assertThat(only(limiter.tryAcquire(costing("small", Long.MAX_VALUE))).shadowDenied())
                .isTrue();

        limiter.refund(call.costing(6));
        assertThat(peek("a").remaining()).isEqualTo(86);
        assertThat(peek("small").remaining()).isEqualTo(4);
    }

    @Test
    void anotherKindOfStateStartsAnew() {
        hold(rule("r", Algorithm.FIXED_WINDOW, 5));
        limiter.tryAcquire(costing("r", 5));

        hold(rule("r", Algorithm.TOKEN_BUCKET, 5));

        assertThat(only(limiter.tryAcquire("r", "ann")).remaining()).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource
    void aClockThatGoesBackForgetsNothingAndNeverBlocksForMoreThanTwoWindows(Algorithm algorithm) {
        hold(rule("r", algorithm, 5));
        limiter.tryAcquire(costing("r", 5));

        clock.advance(Duration.ofSeconds(-30));
        Decision denied = limiter.tryAcquire("r", "ann");
        assertThat(denied.isAllowed()).isFalse();
        clock.advance(denied.retryAfter().minus(MICRO));
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isFalse();
        clock.advance(MICRO);
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();

        clock.advance(Duration.ofDays(-1));
        limiter.forget("ann", new Check("r", "ann"));
        assertThat(only(limiter.tryAcquire(costing("r", 3))).remaining()).isEqualTo(2);
        assertThat(only(limiter.tryAcquire(costing("r", 2))).remaining()).isZero();
    }

    /** Of the longest of all keys. */
    private Duration livesFor() {
        return target.keys().stream()
                .map(key -> Duration.ofMillis(target.commands().pttl(key)))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private Map<String, String> dump() {
        Map<String, String> values = new TreeMap<>();
        target.keys()
                .forEach(
                        key -> values.put(key, Arrays.toString(target.commands().dump(key))));
        return values;
    }
}
