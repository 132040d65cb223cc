package dev.hotstate.limits;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Slices that processes take in advance: used without Redis, given back in time, never more than stated. */
@ExtendWith(Testkit.class)
class LeaseIT extends LimiterFixture {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final RedisServer server;

    LeaseIT(RedisServer server) {
        super(server);
        this.server = server;
    }

    @AfterEach
    void everyCounterHasALifetime() {
        assertThat(server).everyKeyHasLifetime(key -> false);
    }

    @ParameterizedTest
    @EnumSource
    void aSliceServesCallsWithoutRedis(Algorithm algorithm) {
        try (RateLimiter limiter = limiter(rule("r", algorithm, 100).leasing(10, LEASE))) {
            Verdict first = ask(limiter, "r");
            assertThat(first.decidedBy()).isEqualTo(DecidedBy.REDIS);
            assertThat(first.remaining()).isEqualTo(99);
            for (int left = 98; left >= 90; left--) {
                Verdict next = ask(limiter, "r");
                assertThat(next.decidedBy()).isEqualTo(DecidedBy.LOCAL);
                assertThat(next.remaining()).isEqualTo(left);
            }
            assertThat(ask(limiter, "r").decidedBy()).isEqualTo(DecidedBy.REDIS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotUsedComesBackWhenTheLeaseEnds(Algorithm algorithm) {
        try (RateLimiter limiter = limiter(rule("r", algorithm, 100).leasing(10, LEASE))) {
            ask(limiter, "r");
            assertThat(peek(limiter)).isEqualTo(90);

            clock.advance(LEASE);

            Eventually.until("nine units came back", () -> peek(limiter) >= 99);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotUsedComesBackAtTheEnd(Algorithm algorithm) {
        RateLimiter limiter = limiter(rule("r", algorithm, 100).leasing(10, LEASE));
        ask(limiter, "r");

        limiter.close();

        assertThat(peek(limiter)).isEqualTo(99);
    }

    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_WINDOW"})
    void noSliceOutlivesItsWindow(Algorithm algorithm) {
        try (RateLimiter limiter = limiter(rule("r", algorithm, 100).leasing(10, MINUTE))) {
            limiter.tryAcquire(Call.of("r", "ann").costing(10));
            clock.advance(Duration.ofSeconds(30));
            assertThat(ask(limiter, "r").decidedBy()).isEqualTo(DecidedBy.REDIS);

            clock.advance(Duration.ofSeconds(29));
            assertThat(ask(limiter, "r").decidedBy()).isEqualTo(DecidedBy.LOCAL);
            clock.advance(Duration.ofSeconds(1));
            assertThat(ask(limiter, "r").decidedBy()).isEqualTo(DecidedBy.REDIS);
        }
    }

    @Test
    void theWorstOfALogIsASliceAProcessUsedWhenItIsOutOfSight() {
        List<RateLimiter> limiters =
                processes(3, rule("r", Algorithm.SLIDING_LOG, 100).leasing(10, MINUTE));
        limiters.forEach(limiter -> ask(limiter, "r"));

        clock.advance(MINUTE.minusNanos(1000));
        long late = limiters.stream().mapToLong(limiter -> spend(limiter, 9)).sum();
        clock.advance(Duration.ofNanos(1000));
        long next = spend(limiters.getFirst(), 200);

        assertThat(late + next).isEqualTo(100 + 3 * 9);
        limiters.forEach(RateLimiter::close);
    }

    @Test
    void theWorstOfABucketIsASliceAProcessUsedWhenItHasLeaked() {
        List<RateLimiter> limiters =
                processes(3, rule("r", Algorithm.TOKEN_BUCKET, 100).leasing(10, MINUTE));
        limiters.forEach(limiter -> ask(limiter, "r"));

        clock.advance(MINUTE.minusNanos(1000));
        long late = limiters.stream().mapToLong(limiter -> spend(limiter, 9)).sum();
        clock.advance(Duration.ofNanos(1000));
        long burst = spend(limiters.getFirst(), 200);
        clock.advance(MINUTE.minusNanos(2000));
        long refilled = spend(limiters.getFirst(), 200);

        assertThat(late + burst + refilled).isEqualTo(100 + 99 + 3 * 9);
        limiters.forEach(RateLimiter::close);
    }

    @ParameterizedTest
    @CsvSource({"FIXED_WINDOW, 100", "SLIDING_WINDOW, 0", "SLIDING_LOG, 10", "TOKEN_BUCKET, 8"})
    void whatCountsNoLongerDoesNotComeBackFromWhatOthersSpent(Algorithm algorithm, int room) {
        List<RateLimiter> limiters = processes(2, rule("r", algorithm, 100).leasing(10, MINUTE));
        ask(limiters.getFirst(), "r");
        clock.advance(MINUTE.minusSeconds(5));
        spend(limiters.getLast(), 100);
        clock.advance(Duration.ofSeconds(5));

        limiters.getFirst().close();

        assertThat(peek(limiters.getLast())).isEqualTo(room);
        limiters.getLast().close();
    }

    @Test
    void aSliceIsNoLargerThanWhatIsThere() {
        try (RateLimiter limiter = limiter(rule("r", Algorithm.FIXED_WINDOW, 7).leasing(5, LEASE));
                RateLimiter other = limiter(rule("r", Algorithm.FIXED_WINDOW, 7).leasing(5, LEASE))) {
            assertThat(Stream.generate(() -> limiter.tryAcquire("r", "ann"))
                            .limit(3)
                            .allMatch(Decision::isAllowed))
                    .isTrue();
            assertThat(Stream.generate(() -> other.tryAcquire("r", "ann"))
                            .limit(2)
                            .allMatch(Decision::isAllowed))
                    .isTrue();
            assertThat(other.tryAcquire("r", "ann").isAllowed()).isFalse();
            assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isTrue();
        }
    }

    @Test
    void aCallIsServedHereOnlyWhenAllOfItsRulesLease() {
        try (RateLimiter limiter = limiter(
                rule("leased", Algorithm.FIXED_WINDOW, 100).leasing(10, LEASE),
                rule("exact", Algorithm.FIXED_WINDOW, 3))) {
            Call both = Call.of(List.of(new Check("leased", "ann"), new Check("exact", "ann")));
            for (int i = 0; i < 3; i++) {
                assertThat(limiter.tryAcquire(both).verdicts())
                        .extracting(Verdict::decidedBy)
                        .containsOnly(DecidedBy.REDIS);
            }
            assertThat(limiter.tryAcquire(both).isAllowed()).isFalse();
            assertThat(limiter.peek("ann", new Check("leased", "ann")).remaining())
                    .isEqualTo(97);
        }
    }

    @Test
    void aResetVoidsASlice() {
        try (RateLimiter limiter =
                limiter(rule("r", Algorithm.FIXED_WINDOW, 100).leasing(10, LEASE))) {
            ask(limiter, "r");

            limiter.reset("ann", new Check("r", "ann"));

            assertThat(ask(limiter, "r").decidedBy()).isEqualTo(DecidedBy.REDIS);
            assertThat(peek(limiter)).isEqualTo(90);
        }
    }

    @Test
    void aDenialIsForgottenWhenOthersMayHaveGivenBackTheirs() {
        Duration lease = Duration.ofMillis(500);
        Rule rule = rule("r", Algorithm.FIXED_WINDOW, 10).leasing(10, lease);
        try (RateLimiter holder = limiter(rule);
                RateLimiter limiter = limiter(rule)) {
            ask(holder, "r");
            Decision denied = limiter.tryAcquire("r", "ann");
            assertThat(denied.retryAfter()).isEqualTo(MINUTE);

            clock.advance(lease.minusNanos(1000));
            assertThat(ask(limiter, "r").decidedBy()).isEqualTo(DecidedBy.LOCAL);
            clock.advance(Duration.ofNanos(1000));
            assertThat(ask(limiter, "r").decidedBy()).isEqualTo(DecidedBy.REDIS);
            Eventually.until("the holder's nine came back", () -> {
                limiter.forget("ann", new Check("r", "ann"));
                return limiter.tryAcquire("r", "ann").isAllowed();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void processesInACrowdUseWhatTheyTookAndGiveBackTheRest(Algorithm algorithm) throws InterruptedException {
        Rule rule = rule("r", algorithm, 5_000).leasing(70, MINUTE);
        List<RateLimiter> limiters = processes(4, rule);
        AtomicLong allowed = new AtomicLong();
        try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 32; i++) {
                RateLimiter mine = limiters.get(i % limiters.size());
                crowd.execute(() -> {
                    for (int n = 0; n < 120; n++) {
                        allowed.addAndGet(mine.tryAcquire("r", "ann").isAllowed() ? 1 : 0);
                    }
                });
            }
        }
        limiters.forEach(RateLimiter::close);

        assertThat(allowed.get()).isEqualTo(32 * 120);
        assertThat(peek(limiters.getFirst())).isEqualTo(5_000 - allowed.get());
    }

    private List<RateLimiter> processes(int count, Rule rule) {
        return Stream.generate(() -> limiter(rule)).limit(count).toList();
    }

    private static long spend(RateLimiter limiter, int times) {
        return Stream.generate(() -> limiter.tryAcquire("r", "ann"))
                .limit(times)
                .filter(Decision::isAllowed)
                .count();
    }

    private RateLimiter limiter(Rule... rules) {
        return new RateLimiter(redis, RuleSource.of(rules), TestMeters.REGISTRY);
    }

    private static Verdict ask(RateLimiter limiter, String rule) {
        return limiter.tryAcquire(rule, "ann").verdicts().getFirst();
    }

    private static long peek(RateLimiter limiter) {
        return limiter.peek("ann", new Check("r", "ann")).remaining();
    }
}
