package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LocalLimiterTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
    private final LocalLimiter limiter = new LocalLimiter(nanos::get);

    @Test
    void aBucketGivesItsBurstAndThenRefillsAtTheRate() {
        Target target = target(Rule.tokenBucket("r", 60, MINUTE, 10), "ann");

        assertThat(spend(target, 12)).isEqualTo(10);
        Standing denied = limiter.spend(List.of(target), 3, true).getFirst();
        assertThat(denied.fits()).isFalse();
        assertThat(denied.retryMicros()).isEqualTo(3_000_000);
        assertThat(denied.resetMicros()).isEqualTo(10_000_000);

        pass(Duration.ofMillis(2_999));
        assertThat(limiter.spend(List.of(target), 3, true).getFirst().retryMicros())
                .isEqualTo(1_000);
        pass(Duration.ofMillis(1));
        assertThat(limiter.spend(List.of(target), 3, true).getFirst().fits()).isTrue();
        pass(Duration.ofDays(400));
        assertThat(spend(target, 12)).isEqualTo(10);
    }

    @Test
    void otherAlgorithmsAreABucketOfTheirLimit() {
        assertThat(spend(target(Rule.slidingLog("r", 5, MINUTE), "ann"), 9)).isEqualTo(5);
        assertThat(spend(target(Rule.fixedWindow("r2", 1_000_000_000, Duration.ofDays(366)), "ann"), 9))
                .isEqualTo(9);
    }

    @Test
    void allIsSpentOrNothing() {
        Target wide = target(Rule.fixedWindow("wide", 5, MINUTE), "ann");
        Target narrow = target(Rule.fixedWindow("narrow", 1, MINUTE), "ann");
        limiter.spend(List.of(wide, narrow), 1, true);

        List<Standing> denied = limiter.spend(List.of(wide, narrow), 1, true);
        limiter.spend(List.of(wide), 1, false);

        assertThat(denied).extracting(Standing::fits).containsExactly(true, false);
        assertThat(spend(wide, 9)).isEqualTo(4);
    }

    @Test
    void aCrowdOverManyTagsGetsExactlyWhatIsThere() {
        Terms wide = new Terms(Rule.fixedWindow("wide", 1_000, MINUTE), new SimpleMeterRegistry());
        Terms narrow = new Terms(Rule.fixedWindow("narrow", 50, MINUTE), new SimpleMeterRegistry());
        LongAdder allowed = new LongAdder();
        try (ExecutorService crowd = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 8_000; i++) {
                String tag = "tag-" + i % 100;
                List<Target> both = List.of(
                        new Target(new CounterId(tag, "wide", tag), wide),
                        new Target(new CounterId(tag, "narrow", tag), narrow));
                crowd.execute(() -> {
                    if (limiter.spend(both, 1, true).stream().allMatch(Standing::fits)) {
                        allowed.increment();
                    }
                });
            }
        }

        assertThat(allowed.sum()).isEqualTo(100 * 50);
        Target any = new Target(new CounterId("tag-7", "wide", "tag-7"), wide);
        assertThat(spend(any, 2_000)).isEqualTo(950);
    }

    @Test
    void aChangedRuleKeepsWhatWasSpentHere() {
        assertThat(spend(target(Rule.fixedWindow("r", 10, MINUTE), "ann"), 6)).isEqualTo(6);
        assertThat(spend(target(Rule.fixedWindow("r", 12, Duration.ofSeconds(71, 3_000)), "ann"), 20))
                .isEqualTo(6);
        assertThat(spend(target(Rule.tokenBucket("r", 1_000_000_000, Duration.ofDays(366), 15), "ann"), 20))
                .isEqualTo(3);

        assertThat(spend(target(Rule.fixedWindow("r", 5, Duration.ofHours(1)), "ann"), 9))
                .isZero();
        pass(Duration.ofMinutes(12).minusNanos(1_000));
        assertThat(spend(target(Rule.fixedWindow("r", 5, Duration.ofHours(1)), "ann"), 9))
                .isZero();
        pass(Duration.ofNanos(1_000));
        assertThat(spend(target(Rule.fixedWindow("r", 5, Duration.ofHours(1)), "ann"), 9))
                .isEqualTo(1);
    }

    @Test
    void aRuleInShadowIsNeverSpentByWhatCouldNeverFit() {
        Target shadow = target(Rule.fixedWindow("shadow", 5, MINUTE).inShadow(), "ann");

        for (long cost : List.of(6L, Long.MAX_VALUE, 1L << 62)) {
            Standing standing = limiter.spend(List.of(shadow), cost, true).getFirst();
            assertThat(standing.fits()).isFalse();
            assertThat(standing.retryMicros()).isPositive();
        }
        assertThat(spend(shadow, 9)).isEqualTo(5);
    }

    @Test
    void aRuleInShadowDeniesNothingHereEither() {
        Target shadow = target(Rule.fixedWindow("shadow", 1, MINUTE).inShadow(), "ann");
        Target other = target(Rule.fixedWindow("other", 3, MINUTE), "ann");
        for (int i = 0; i < 3; i++) {
            limiter.spend(List.of(shadow, other), 1, true);
        }

        assertThat(spend(other, 1)).isZero();
    }

    @Test
    void whatIsForgottenBeginsAnew() {
        Target target = target(Rule.fixedWindow("r", 2, MINUTE), "ann");
        spend(target, 2);
        limiter.forget(target.counter());
        assertThat(spend(target, 5)).isEqualTo(2);
    }

    private long spend(Target target, int times) {
        return IntStream.range(0, times)
                .filter(i -> limiter.spend(List.of(target), 1, true).getFirst().fits())
                .count();
    }

    private static Target target(Rule rule, String subject) {
        return new Target(new CounterId("t", rule.id(), subject), new Terms(rule, new SimpleMeterRegistry()));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
