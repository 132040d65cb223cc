package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Several processes with slices of one counter: no stretch of one window sees more than the stated overshoot. */
class LeasePropertiesIT {
    private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");
    private static final Duration WINDOW = Duration.ofMinutes(2);

    private static RedisServer server;
    private static SettableClock clock;
    private static Redis redis;

    @BeforeContainer
    static void startRedis() {
        server = RedisServer.start();
        clock = SettableClock.at(START);
        redis = Redis.connect(
                RedisOptions.of(server.uri())
                        .withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10))
                        .withClock(clock),
                LimiterFixture.KEYSPACE,
                TestMeters.REGISTRY);
    }

    @AfterContainer
    static void stopRedis() {
        redis.close();
        server.close();
    }

    /** After a pause, a process asks so many times for one unit. */
    record Step(int process, int times, double pause) {}

    @Provide
    Arbitrary<List<Step>> histories() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 100),
                        Arbitraries.integers().between(1, 30),
                        Arbitraries.doubles().between(0, 1))
                .as(Step::new)
                .list()
                .ofMinSize(10)
                .ofMaxSize(60);
    }

    @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
    void noStretchOfAWindowSeesMoreThanTheStatedOvershoot(
            @ForAll Algorithm algorithm,
            @ForAll @IntRange(min = 1, max = 4) int processes,
            @ForAll @LongRange(min = 1, max = 10) long slice,
            @ForAll @LongRange(min = 10, max = 40) long limit,
            @ForAll @LongRange(min = 1, max = 120) long leaseSeconds,
            @ForAll("histories") List<Step> history) {
        server.flushAll();
        clock.set(START);
        Rule rule = rule(algorithm, limit).leasing(slice, Duration.ofSeconds(leaseSeconds));
        List<RateLimiter> limiters = Stream.generate(
                        () -> new RateLimiter(redis, RuleSource.of(rule), TestMeters.REGISTRY))
                .limit(processes)
                .toList();
        List<Instant> passed = new ArrayList<>();

        for (Step step : history) {
            Duration pause = Duration.ofNanos((long) (step.pause() * step.pause() * step.pause() * WINDOW.toNanos()));
            Instant now = clock.advance(pause.truncatedTo(ChronoUnit.MICROS));
            RateLimiter limiter = limiters.get(step.process() % processes);
            for (int i = 0; i < step.times(); i++) {
                if (limiter.tryAcquire("r", "ann").isAllowed()) {
                    passed.add(now);
                }
            }
            assertThat(passed.stream()
                            .filter(at -> at.isAfter(now.minus(WINDOW)))
                            .count())
                    .isLessThanOrEqualTo(LimitOracle.of(rule).bound() + overshoot(rule, processes));
        }
        limiters.forEach(RateLimiter::close);
    }

    private static long overshoot(Rule rule, int processes) {
        return switch (rule.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW -> 0;
            case SLIDING_LOG, TOKEN_BUCKET ->
                processes * rule.lease().orElseThrow().slice();
        };
    }

    private static Rule rule(Algorithm algorithm, long limit) {
        return switch (algorithm) {
            case FIXED_WINDOW -> Rule.fixedWindow("r", limit, WINDOW);
            case SLIDING_WINDOW -> Rule.slidingWindow("r", limit, WINDOW);
            case SLIDING_LOG -> Rule.slidingLog("r", limit, WINDOW);
            case TOKEN_BUCKET -> Rule.tokenBucket("r", limit, WINDOW, 10);
        };
    }
}
