package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What Redis denied is denied here until its time comes, or something makes it come sooner. */
@ExtendWith(Testkit.class)
class DenialsIT extends LimiterFixture {

    DenialsIT(RedisServer server) {
        super(server);
    }

    @ParameterizedTest
    @EnumSource
    void aDenialIsRememberedHereUntilItsTimeAndCostsRedisNothing(Algorithm algorithm) {
        hold(rule("r", algorithm, 4));
        limiter.tryAcquire(costing("r", 4));
        Decision first = limiter.tryAcquire(costing("r", 2));
        double asked = timesAsked();

        Decision second = limiter.tryAcquire(costing("r", 2));
        assertThat(only(second).decidedBy()).isEqualTo(DecidedBy.LOCAL);
        assertThat(second.retryAfter()).isEqualTo(first.retryAfter());
        clock.advance(Denials.ASK_AGAIN.minus(MICRO));
        assertThat(limiter.tryAcquire(costing("r", 2)).retryAfter())
                .isEqualTo(first.retryAfter().minus(Denials.ASK_AGAIN).plus(MICRO));
        assertThat(timesAsked()).isEqualTo(asked);

        clock.advance(MICRO);
        Decision third = limiter.tryAcquire(costing("r", 2));
        assertThat(only(third).decidedBy()).isEqualTo(DecidedBy.REDIS);
        assertThat(third.retryAfter()).isEqualTo(first.retryAfter().minus(Denials.ASK_AGAIN));
    }

    @Test
    void aDenialOfLessThanASecondIsRememberedUntilItsTime() {
        hold(Rule.tokenBucket("r", 120, MINUTE, 120));
        limiter.tryAcquire(costing("r", 120));
        limiter.tryAcquire("r", "ann");
        double asked = timesAsked();
        clock.advance(Duration.ofMillis(500).minus(MICRO));

        assertThat(limiter.tryAcquire("r", "ann").retryAfter()).isEqualTo(MICRO);
        assertThat(timesAsked()).isEqualTo(asked);
        clock.advance(MICRO);
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();
    }

    @Test
    void aRefundAndAResetByAnotherProcessCountHereASecondLater() {
        hold(rule("r", Algorithm.FIXED_WINDOW, 1));
        limiter.tryAcquire("r", "ann");
        limiter.tryAcquire("r", "ann");
        try (RateLimiter other = new RateLimiter(redis, () -> rules, TestMeters.REGISTRY)) {
            other.refund(Call.of("r", "ann"));
            assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isFalse();
            clock.advance(Denials.ASK_AGAIN);
            assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();

            limiter.tryAcquire("r", "ann");
            other.reset("ann", new Check("r", "ann"));
            clock.advance(Denials.ASK_AGAIN);
            assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();
        }
    }

    @Test
    void whatIsForgottenOfOneTagIsStillRememberedOfOthers() {
        hold(rule("r", Algorithm.FIXED_WINDOW, 1));
        limiter.tryAcquire("r", "ann");
        limiter.tryAcquire("r", "ann");
        double asked = timesAsked();
        limiter.forget("bob", new Check("r", "bob"));

        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isFalse();
        assertThat(timesAsked()).isEqualTo(asked);
    }

    @Test
    void anotherCostThanTheDeniedOneIsAskedForSinceItHasAnotherTime() {
        hold(rule("r", Algorithm.TOKEN_BUCKET, 5));
        limiter.tryAcquire(costing("r", 3));
        Decision four = limiter.tryAcquire(costing("r", 4));

        assertThat(limiter.tryAcquire(costing("r", 5)).retryAfter()).isGreaterThan(four.retryAfter());
        assertThat(limiter.tryAcquire(costing("r", 2)).isAllowed()).isTrue();
    }

    @Test
    void theSameCallReadsAsWhenItWasDenied() {
        hold(rule("one", Algorithm.FIXED_WINDOW, 1), rule("many", Algorithm.FIXED_WINDOW, 9));
        Call call = Call.of(List.of(new Check("many", "ann"), new Check("one", "ann")));
        limiter.tryAcquire(call);
        Decision denied = limiter.tryAcquire(call);
        clock.advance(Duration.ofMillis(900));

        Decision again = limiter.tryAcquire(call);

        assertThat(again.verdicts()).extracting(Verdict::decidedBy).containsOnly(DecidedBy.LOCAL);
        assertThat(again.verdicts()).extracting(Verdict::remaining).containsExactly(8L, 0L);
        assertThat(again.verdicts().getFirst().resetAfter())
                .isEqualTo(denied.verdicts().getFirst().resetAfter().minusMillis(900));
    }

    @Test
    void aRefundAResetAndAChangedRuleEndARememberedDenial() {
        hold(rule("r", Algorithm.FIXED_WINDOW, 1));
        limiter.tryAcquire("r", "ann");
        limiter.tryAcquire("r", "ann");
        limiter.refund(Call.of("r", "ann"));
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();

        limiter.tryAcquire("r", "ann");
        limiter.reset("ann", new Check("r", "ann"));
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();

        limiter.tryAcquire("r", "ann");
        hold(rule("r", Algorithm.FIXED_WINDOW, 2));
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();
    }

    @Test
    void aResetByAnotherProcessCountsOnceItIsToldOfIt() {
        hold(rule("r", Algorithm.FIXED_WINDOW, 1));
        limiter.tryAcquire("r", "ann");
        limiter.tryAcquire("r", "ann");
        try (RateLimiter other = new RateLimiter(redis, () -> rules, TestMeters.REGISTRY)) {
            other.reset("ann", new Check("r", "ann"));
        }

        limiter.forget("ann", new Check("r", "ann"));
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();
    }

    @Test
    void aRememberedDenialSaysNothingOfChecksThatItWasNotAskedWith() {
        hold(rule("one", Algorithm.FIXED_WINDOW, 1), rule("many", Algorithm.FIXED_WINDOW, 9));
        Call both = Call.of(List.of(new Check("many", "ann"), new Check("one", "ann")));
        limiter.tryAcquire(Call.of("many", "ann").costing(4));
        limiter.tryAcquire("one", "ann");
        limiter.tryAcquire("one", "ann");

        Decision asked = limiter.tryAcquire(both);
        Decision remembered = limiter.tryAcquire(both);

        assertThat(asked.verdicts()).extracting(Verdict::decidedBy).containsOnly(DecidedBy.REDIS);
        assertThat(remembered.verdicts()).extracting(Verdict::decidedBy).containsOnly(DecidedBy.LOCAL);
        assertThat(List.of(asked, remembered)).allSatisfy(denied -> {
            assertThat(denied.verdicts()).extracting(Verdict::allowed).containsExactly(true, false);
            assertThat(denied.verdicts()).extracting(Verdict::remaining).containsExactly(5L, 0L);
        });
    }

    @Test
    void aCallOfWhichEachCheckIsRememberedAsDeniedIsDeniedWithoutRedis() {
        hold(rule("one", Algorithm.FIXED_WINDOW, 1), rule("two", Algorithm.FIXED_WINDOW, 1));
        List.of("one", "one", "two", "two").forEach(rule -> limiter.tryAcquire(rule, "ann"));
        double before = timesAsked();

        Decision denied = limiter.tryAcquire(Call.of(List.of(new Check("one", "ann"), new Check("two", "ann"))));

        assertThat(denied.verdicts()).extracting(Verdict::allowed).containsExactly(false, false);
        assertThat(timesAsked()).isEqualTo(before);
    }

    @Test
    void aCheckWhoseTimeIsOverIsNotSaidToDenyStill() {
        hold(Rule.tokenBucket("quick", 120, MINUTE, 120), Rule.fixedWindow("hour", 120, Duration.ofHours(1)));
        Call call = Call.of(List.of(new Check("quick", "ann"), new Check("hour", "ann")));
        limiter.tryAcquire(call.costing(120));
        limiter.tryAcquire(call);
        clock.advance(Duration.ofMillis(500));

        Decision again = limiter.tryAcquire(call);

        assertThat(again.verdicts()).extracting(Verdict::allowed).containsExactly(true, false);
        assertThat(again.verdicts()).extracting(Verdict::remaining).containsExactly(120L, 0L);
    }

    private static double timesAsked() {
        return TestMeters.REGISTRY.find("hotstate.script.replies").tag("script", "acquire").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
