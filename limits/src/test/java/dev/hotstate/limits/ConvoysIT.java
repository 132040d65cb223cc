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

/** Calls that meet on their way to Redis: one that is held up makes them meet. */
class ConvoysIT {
    private static final int CROWD = 50;

    private final RedisServer server = RedisServer.start();
    private final Redis redis = Redis.connect(
            RedisOptions.of(server.uri()).withTimeout(Duration.ofSeconds(20), Duration.ofSeconds(30)),
            LimiterFixture.KEYSPACE,
            TestMeters.REGISTRY);
    private volatile Rules rules = Rules.of(
            LimiterFixture.rule("r", Algorithm.FIXED_WINDOW, 30),
            LimiterFixture.rule("closed", Algorithm.FIXED_WINDOW, 30).onError(OnError.CLOSED),
            LimiterFixture.rule("log", Algorithm.SLIDING_LOG, 30).onError(OnError.CLOSED),
            LimiterFixture.rule("one", Algorithm.SLIDING_WINDOW, 1),
            LimiterFixture.rule("bucket", Algorithm.TOKEN_BUCKET, 100),
            LimiterFixture.rule("leased", Algorithm.FIXED_WINDOW, 1_000).leasing(100, LimiterFixture.MINUTE));
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
    void callsOfManySubjectsTravelTogetherAndEachSpendsItsOwn() throws Exception {
        limiter.tryAcquire("r", "warm");
        double before = timesAsked();
        server.pause();
        List<CompletableFuture<Decision>> asked = asking(CROWD, i -> limiter.tryAcquire("r", "user-" + i));
        server.resume();

        assertThat(allowed(asked)).isEqualTo(CROWD);
        assertThat(timesAsked() - before).isLessThan(CROWD / 2);
        for (int i = 0; i < CROWD; i++) {
            assertThat(LimiterFixture.only(asked.get(i).get()).subject()).isEqualTo("user-" + i);
            assertThat(remaining("r", "user-" + i)).isEqualTo(29);
        }
    }

    @Test
    void callsOfSeveralChecksThatTravelTogetherAreEachAllOrNothing() throws Exception {
        limiter.tryAcquire("r", "warm");
        server.pause();
        List<CompletableFuture<Decision>> asked = asking(
                CROWD,
                i -> limiter.tryAcquire(new Call(
                        "acme",
                        2,
                        List.of(new Check("bucket", "acme"), new Check(i % 2 == 0 ? "r" : "log", "user-" + i % 10)))));
        server.resume();

        long spent = 2 * allowed(asked);
        assertThat(spent).isEqualTo(100);
        assertThat(limiter.peek("acme", new Check("bucket", "acme")).remaining())
                .isLessThan(10);
        for (int i = 0; i < 10; i++) {
            Check check = new Check(i % 2 == 0 ? "r" : "log", "user-" + i);
            assertThat(limiter.peek("acme", check).remaining()).isEqualTo(20);
        }
    }

    @Test
    void oneThatIsDeniedDeniesNoneOfItsCompanions() throws Exception {
        limiter.tryAcquire("one", "ann");
        server.pause();
        List<CompletableFuture<Decision>> asked =
                asking(CROWD, i -> limiter.tryAcquire("one", i == 20 ? "ann" : "user-" + i));
        server.resume();

        assertThat(allowed(asked)).isEqualTo(CROWD - 1);
        assertThat(asked.get(20).get().isAllowed()).isFalse();
    }

    @Test
    void oneThatBreaksBreaksNoneOfItsCompanions() throws Exception {
        limiter.tryAcquire("log", "ann");
        String key = server.keys().iterator().next();
        server.commands().del(key);
        server.commands().set(key, "not a log");
        server.pause();
        List<CompletableFuture<Decision>> asked =
                asking(CROWD, i -> limiter.tryAcquire("log", i == 20 ? "ann" : "user-" + i));
        server.resume();

        assertThat(allowed(asked)).isEqualTo(CROWD - 1);
        assertThat(LimiterFixture.only(asked.get(20).get()).decidedBy()).isEqualTo(DecidedBy.CLOSED);
    }

    @Test
    void aCompanionThatIsInterruptedLeavesAtOnceAndTheOthersAreServed() throws Exception {
        limiter.tryAcquire("closed", "warm");
        server.pause();
        List<CompletableFuture<Decision>> before = asking(10, i -> limiter.tryAcquire("closed", "user-" + i));
        CompletableFuture<Decision> interrupted = new CompletableFuture<>();
        Thread companion = Thread.startVirtualThread(() -> interrupted.complete(limiter.tryAcquire("closed", "ann")));
        Eventually.until("it waits with the others", () -> waits(companion));
        companion.interrupt();
        assertThat(LimiterFixture.only(interrupted.get()).decidedBy()).isEqualTo(DecidedBy.CLOSED);
        server.resume();

        assertThat(allowed(before)).isEqualTo(10);
        assertThat(remaining("closed", "ann")).isEqualTo(30);
    }

    @Test
    void moreThanMayWaitAreServedToo() throws Exception {
        limiter.tryAcquire("r", "warm");
        server.pause();
        List<CompletableFuture<Decision>> asked =
                asking(Convoys.MOST_WAITING + 100, i -> limiter.tryAcquire("r", "user-" + i));
        server.resume();

        assertThat(allowed(asked)).isEqualTo(Convoys.MOST_WAITING + 100);
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
        List<CompletableFuture<Decision>> asked = asking(CROWD, i -> limiter.tryAcquire("closed", "ann"));
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
        List<CompletableFuture<Decision>> others = asking(10, i -> limiter.tryAcquire("closed", "ann"));
        leader.interrupt();
        assertThat(LimiterFixture.only(interrupted.get()).decidedBy()).isEqualTo(DecidedBy.CLOSED);
        server.resume();

        assertThat(allowed(others)).isEqualTo(10);
    }

    @Test
    void aSliceOnItsWayIsVoidOnceItsCounterIsForgottenAndNotWhenAnotherIs() throws Exception {
        limiter.tryAcquire("r", "warm");
        server.pause();
        List<CompletableFuture<Decision>> asked = asking(2, i -> limiter.tryAcquire("leased", i == 0 ? "ann" : "bob"));
        limiter.forget("ann", new Check("leased", "ann"));
        server.resume();

        assertThat(allowed(asked)).isEqualTo(2);
        assertThat(LimiterFixture.only(limiter.tryAcquire("leased", "ann")).decidedBy())
                .isEqualTo(DecidedBy.REDIS);
        assertThat(LimiterFixture.only(limiter.tryAcquire("leased", "bob")).decidedBy())
                .isEqualTo(DecidedBy.LOCAL);
    }

    @Test
    void aRuleThatChangesWhileCallsWaitIsHeldAtOnce() throws Exception {
        limiter.tryAcquire("r", "warm");
        server.pause();
        List<CompletableFuture<Decision>> old = asking(20, i -> limiter.tryAcquire("r", "ann"));
        rules = Rules.of(LimiterFixture.rule("r", Algorithm.FIXED_WINDOW, 25));
        List<CompletableFuture<Decision>> changed = asking(20, i -> limiter.tryAcquire("r", "ann"));
        server.resume();

        assertThat(allowed(old) + allowed(changed)).isBetween(25L, 30L);
        assertThat(limiter.tryAcquire("r", "ann").isAllowed()).isFalse();
    }

    private List<Decision> meeting(int count, Callable<Decision> call) throws Exception {
        server.pause();
        List<CompletableFuture<Decision>> asked = asking(count, i -> call.call());
        server.resume();
        List<Decision> decisions = new ArrayList<>();
        for (CompletableFuture<Decision> one : asked) {
            decisions.add(one.get());
        }
        return decisions;
    }

    /** So many calls that have begun and are not answered: each waits, for Redis or for the one that asks it. */
    private static List<CompletableFuture<Decision>> asking(int count, Numbered call) {
        List<Thread> threads = new ArrayList<>();
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            int i = number;
            CompletableFuture<Decision> answer = new CompletableFuture<>();
            answers.add(answer);
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    answer.complete(call.by(i));
                } catch (Exception failed) {
                    answer.completeExceptionally(failed);
                }
            }));
        }
        Eventually.until("all calls wait", () -> threads.stream().allMatch(ConvoysIT::waits));
        return answers;
    }

    @FunctionalInterface
    private interface Numbered {
        Decision by(int caller) throws Exception;
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

    private long remaining(String rule, String subject) {
        return limiter.peek(subject, new Check(rule, subject)).remaining();
    }

    private static double timesAsked() {
        return TestMeters.REGISTRY.find("hotstate.script.replies").tag("script", "acquire").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
