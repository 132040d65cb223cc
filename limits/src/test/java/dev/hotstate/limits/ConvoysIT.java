package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that meet at one counter: a Redis that is held up makes them meet. */
class ConvoysIT {
    private static final int CROWD = 50;

    private final RedisServer server = RedisServer.start();
    private final Redis redis = Redis.connect(
            RedisOptions.of(server.uri()).withTimeout(Duration.ofSeconds(20), Duration.ofSeconds(30)),
            LimiterFixture.KEYSPACE,
            TestMeters.REGISTRY);
    private volatile Rules rules = Rules.of(
            LimiterFixture.rule("r", Algorithm.FIXED_WINDOW, 30),
            LimiterFixture.rule("closed", Algorithm.FIXED_WINDOW, 30).onError(OnError.CLOSED));
    private final RateLimiter limiter = new RateLimiter(redis, () -> rules, TestMeters.REGISTRY);

    @AfterEach
    void close() {
        limiter.close();
        redis.close();
        server.close();
    }

    @Test
    void manyCallsTakeFewRoundTripsAndGetWhatIsThereInAll() throws Exception {
        limiter.tryAcquire("r", "warm");
        double before = timesAsked();
        List<Decision> decisions = meeting(CROWD, () -> limiter.tryAcquire("r", "ann"));

        assertThat(decisions).filteredOn(Decision::isAllowed).hasSize(30);
        assertThat(decisions)
                .filteredOn(decision -> !decision.isAllowed())
                .allSatisfy(denied -> assertThat(denied.retryAfter()).isPositive());
        assertThat(decisions)
                .filteredOn(Decision::isAllowed)
                .extracting(decision -> LimiterFixture.only(decision).remaining())
                .doesNotHaveDuplicates()
                .contains(0L, 29L);
        assertThat(timesAsked() - before).isLessThan(CROWD / 2);
    }

    @Test
    void callsOfDifferentCostsSpendExactlyWhatTheyWereAllowed() throws Exception {
        List<Future<Long>> spent = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
                long cost = 1 + i % 7;
                spent.add(threads.submit(() ->
                        limiter.tryAcquire(LimiterFixture.costing("r", cost)).isAllowed() ? cost : 0));
            }
        }
        long sum = 0;
        for (Future<Long> one : spent) {
            sum += one.get();
        }
        assertThat(sum).isBetween(24L, 30L);
        assertThat(limiter.peek("ann", new Check("r", "ann")).remaining()).isEqualTo(30 - sum);
    }

    @Test
    void whenTheirLeaderFailsEachIsDecidedByItsRule() throws Exception {
        limiter.tryAcquire("closed", "warm");
        server.pause();
        List<CompletableFuture<Decision>> asked = asking(CROWD, () -> limiter.tryAcquire("closed", "ann"));
        server.kill();

        for (CompletableFuture<Decision> one : asked) {
            assertThat(LimiterFixture.only(one.get()).decidedBy()).isEqualTo(DecidedBy.CLOSED);
        }
    }

    @Test
    void aLeaderThatIsInterruptedTakesNobodyWithIt() throws Exception {
        limiter.tryAcquire("closed", "warm");
        server.pause();
        CompletableFuture<Decision> interrupted = new CompletableFuture<>();
        Thread leader = Thread.startVirtualThread(() -> interrupted.complete(limiter.tryAcquire("closed", "ann")));
        Eventually.until("it waits for Redis", () -> waits(leader));
        List<CompletableFuture<Decision>> others = asking(10, () -> limiter.tryAcquire("closed", "ann"));
        leader.interrupt();
        assertThat(LimiterFixture.only(interrupted.get()).decidedBy()).isEqualTo(DecidedBy.CLOSED);
        server.resume();

        assertThat(allowed(others)).isEqualTo(10);
    }

    @Test
    void aRuleThatChangesWhileCallsWaitIsHeldAtOnce() throws Exception {
        limiter.tryAcquire("r", "warm");
        server.pause();
        List<CompletableFuture<Decision>> old = asking(20, () -> limiter.tryAcquire("r", "ann"));
        rules = Rules.of(LimiterFixture.rule("r", Algorithm.FIXED_WINDOW, 25));
        List<CompletableFuture<Decision>> changed = asking(20, () -> limiter.tryAcquire("r", "ann"));
        server.resume();

        assertThat(allowed(old) + allowed(changed)).isBetween(25L, 30L);
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isFalse();
    }

    private List<Decision> meeting(int count, Callable<Decision> call) throws Exception {
        server.pause();
        List<CompletableFuture<Decision>> asked = asking(count, call);
        server.resume();
        List<Decision> decisions = new ArrayList<>();
        for (CompletableFuture<Decision> one : asked) {
            decisions.add(one.get());
        }
        return decisions;
    }

    /** So many calls that have begun and are not answered: each waits, for Redis or for the one that asks it. */
    private static List<CompletableFuture<Decision>> asking(int count, Callable<Decision> call) {
        List<Thread> threads = new ArrayList<>();
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CompletableFuture<Decision> answer = new CompletableFuture<>();
            answers.add(answer);
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    answer.complete(call.call());
                } catch (Exception failed) {
                    answer.completeExceptionally(failed);
                }
            }));
        }
        Eventually.until("all calls wait", () -> threads.stream().allMatch(ConvoysIT::waits));
        return answers;
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static long allowed(List<CompletableFuture<Decision>> answers) throws Exception {
        long allowed = 0;
        for (CompletableFuture<Decision> answer : answers) {
            allowed += answer.get().isAllowed() ? 1 : 0;
        }
        return allowed;
    }

    private static double timesAsked() {
        return TestMeters.REGISTRY.find("hotstate.script.replies").tag("script", "acquire").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
