package dev.hotstate.limits;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many processes at once, in Redis's own time, while Redis forgets scripts and counters: the bounds hold. */
class LimitBoundsIT {
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final long LIMIT = 300;
    private static final int PROCESSES = 3;
    private static final int CALLERS = 8;

    private final RedisServer server = RedisServer.start();
    private final List<Redis> connections =
            IntStream.range(0, PROCESSES).mapToObj(i -> connect(server)).toList();

    @AfterEach
    void end() {
        assertThat(server).everyKeyHasLifetime(key -> false);
        connections.forEach(Redis::close);
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void aCrowdSpendsTheLimitAndNotAUnitMore(Algorithm algorithm) throws InterruptedException {
        long allowed = crowd(algorithm, 60, () -> {});

        // A bucket refills by a unit in twelve seconds.
        assertThat(allowed).isBetween(LIMIT, algorithm == Algorithm.TOKEN_BUCKET ? LIMIT + 10 : LIMIT);
    }

    @ParameterizedTest
    @EnumSource
    void aRedisThatForgetsTheScriptsForgetsNothingElse(Algorithm algorithm) throws InterruptedException {
        long allowed = crowd(algorithm, 60, () -> server.commands().scriptFlush());

        assertThat(allowed).isBetween(LIMIT, algorithm == Algorithm.TOKEN_BUCKET ? LIMIT + 10 : LIMIT);
    }

    @ParameterizedTest
    @EnumSource
    void eachLossOfTheCountersLetsThroughTheBoundOnceMore(Algorithm algorithm) throws InterruptedException {
        // When a quarter, a half and three quarters of the calls have been answered.
        long quarter = PROCESSES * CALLERS * 200 / 4;
        long allowed = crowd(algorithm, 200, () -> {}, answered -> {
            if (answered % quarter == 0 && answered < 4 * quarter) {
                server.flushAll();
            }
        });

        assertThat(allowed).isGreaterThan(LIMIT).isLessThanOrEqualTo((1 + 3) * (LIMIT + 10));
    }

    private long crowd(Algorithm algorithm, int calls, Runnable trouble) throws InterruptedException {
        return crowd(algorithm, calls, trouble, answered -> {});
    }

    /**
     * Everybody asks so often, while something happens to Redis again and again, and after each answer whatever is to
     * happen then; answers how much was let through.
     */
    private long crowd(Algorithm algorithm, int calls, Runnable trouble, LongConsumer afterwards)
            throws InterruptedException {
        Rule rule = rule(algorithm);
        AtomicLong allowed = new AtomicLong();
        AtomicLong answered = new AtomicLong();
        AtomicBoolean done = new AtomicBoolean();
        Thread troubled = Thread.ofVirtual().start(() -> {
            while (!done.get()) {
                trouble.run();
                Thread.yield();
            }
        });
        try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < PROCESSES * CALLERS; i++) {
                RateLimiter limiter =
                        new RateLimiter(connections.get(i % PROCESSES), RuleSource.of(rule), TestMeters.REGISTRY);
                crowd.execute(() -> {
                    for (int n = 0; n < calls; n++) {
                        limiter.forget("ann", new Check("r", "ann"));
                        allowed.addAndGet(limiter.tryAcquire("r", "ann").isAllowed() ? 1 : 0);
                        afterwards.accept(answered.incrementAndGet());
                    }
                });
            }
        }
        done.set(true);
        troubled.join();
        return allowed.get();
    }

    static Redis connect(RedisTarget target) {
        return Redis.connect(
                RedisOptions.of(target.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10)),
                LimiterFixture.KEYSPACE,
                TestMeters.REGISTRY);
    }

    /** One that denies without Redis, so that only Redis lets through. */
    private static Rule rule(Algorithm algorithm) {
        Rule rule = switch (algorithm) {
            case FIXED_WINDOW -> Rule.fixedWindow("r", LIMIT, WINDOW);
            case SLIDING_WINDOW -> Rule.slidingWindow("r", LIMIT, WINDOW);
            case SLIDING_LOG -> Rule.slidingLog("r", LIMIT, WINDOW);
            case TOKEN_BUCKET -> Rule.tokenBucket("r", LIMIT, WINDOW, LIMIT);
        };
        return rule.onError(OnError.CLOSED);
    }
}
