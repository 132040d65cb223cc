package dev.hotstate.core;

import static dev.hotstate.core.Sample.counter;
import static dev.hotstate.core.Sample.nameOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A Redis, and a network, that fail in every way we could think of. */
class RedisFaultsIT {
    private static final Key KEY = counter("p0", "a");

    private final RedisServer server = RedisServer.start();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void aKilledRedisFailsCallsWithinTheirDeadlineAndAllRecoversOnceItIsBack() {
        try (Redis redis = connect(Sample.quick(server.uri()));
                Load load = Load.on(redis, 200)) {
            load.awaitAnswers(1_000);
            int threads = Thread.activeCount();

            server.kill();
            Eventually.until("the circuit is open", () -> states(redis).contains("open"));
            load.awaitFailures(5_000);
            assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 10);
            assertThat(redis.usage().inFlight()).isLessThanOrEqualTo(200);
            assertThat(redis.usage().connections()).isLessThanOrEqualTo(20);

            server.restart();
            Eventually.until("the circuit is closed", () -> redis.usage().allClosed());
            load.awaitAnswers(1_000);

            assertThat(load.stop().slowest()).isLessThan(Duration.ofSeconds(5));
            assertThat(redis.usage().inFlight()).isZero();
            assertThat(transitions("open")).isPositive();
            assertThat(transitions("closed")).isPositive();
        }
    }

    @Test
    void aCircuitThatNobodyProbesLetsOneCallTryAfterAWhile() {
        RedisOptions.Breaker unprobed = new RedisOptions.Breaker(5, Duration.ofMillis(200), Duration.ofDays(1));
        try (Redis redis = connect(Sample.quick(server.uri()).withBreaker(unprobed))) {
            server.kill();
            Eventually.until("the circuit is open", () -> {
                Sample.canIncrement(redis, KEY);
                return states(redis).contains("open");
            });
            assertThat(meters.get("hotstate.redis.breaker.state").gauge().value())
                    .isEqualTo(2);

            server.restart();

            Eventually.until("calls are answered", () -> Sample.canIncrement(redis, KEY));
            Eventually.until("the circuit is closed", () -> redis.usage().allClosed());
        }
    }

    @Test
    void aPipelineThatIsGivenUpLeavesNothingUnderWay() {
        List<Key> keys =
                IntStream.range(0, 100).mapToObj(i -> counter("p0", "k" + i)).toList();
        try (Redis redis = connect(Sample.quick(server.uri()))) {
            server.pause();

            assertThatThrownBy(() -> redis.readAll(keys, (commands, key) -> commands.get(key)))
                    .isInstanceOf(RedisUnavailableException.class);
            assertThat(redis.usage().inFlight()).isZero();

            server.resume();
            Eventually.until("calls are answered", () -> Sample.canIncrement(redis, KEY));
        }
    }

    @Test
    void aPausedRedisFailsCallsWithinTheirDeadlineAndAllRecoversOnceItIsResumed() {
        try (Redis redis = connect(Sample.quick(server.uri()));
                Load load = Load.on(redis, 100)) {
            load.awaitAnswers(500);

            server.pause();
            Eventually.until("the circuit is open", () -> states(redis).contains("open"));
            load.awaitFailures(2_000);

            server.resume();
            Eventually.until("the circuit is closed", () -> redis.usage().allClosed());
            load.awaitAnswers(500);

            assertThat(load.stop().slowest()).isLessThan(Duration.ofSeconds(5));
            assertThat(redis.usage().inFlight()).isZero();
        }
    }

    @Test
    void connectionsThatFallSilentAreReplacedOnceTheWayIsOpenAgain() {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                Redis redis = connect(Sample.quick(through(proxy)))) {
            Sample.increment(redis, KEY);

            proxy.blackhole();
            Eventually.until("the circuit is open", () -> {
                Sample.canIncrement(redis, KEY);
                return states(redis).contains("open");
            });
            proxy.restore();

            Eventually.until("calls are answered", () -> Sample.canIncrement(redis, KEY));
            assertThat(redis.usage().allClosed()).isTrue();
        }
    }

    @Test
    void connectionsThatAreResetAreOpenedAnew() {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                Redis redis = connect(Sample.quick(through(proxy)))) {
            Sample.increment(redis, KEY);

            proxy.reset();

            Eventually.until("calls are answered", () -> Sample.canIncrement(redis, KEY));
            Eventually.until("the circuit is closed", () -> redis.usage().allClosed());
        }
    }

    @Test
    void aReadAnswersFromElsewhereWhileRedisIsAway() {
        try (Redis redis = connect(Sample.quick(server.uri()))) {
            server.kill();

            String answer = redis.readOr(KEY, (commands, key) -> commands.get(key), unavailable -> "elsewhere");

            assertThat(answer).isEqualTo("elsewhere");
            assertThat(meters.counter("hotstate.redis.fallbacks").count()).isEqualTo(1);
        }
    }

    @Test
    void callsBeyondTheQueueAreRefusedAtOnce() {
        RedisOptions options = Sample.patient(server.uri()).withQueue(10).withConnections(1, 1);
        try (Redis redis = connect(options)) {
            server.pause();
            List<CompletableFuture<Long>> waiting = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                waiting.add(
                        CompletableFuture.supplyAsync(() -> Sample.increment(redis, KEY), Thread::startVirtualThread));
            }
            Eventually.until("the queue is full", () -> redis.usage().inFlight() == 10);

            assertThatThrownBy(() -> Sample.increment(redis, KEY))
                    .isInstanceOf(RedisUnavailableException.class)
                    .hasMessageContaining("more than 10 calls");
            assertThat(failures("overloaded")).isEqualTo(1);

            server.resume();
            waiting.forEach(CompletableFuture::join);
            assertThat(Sample.increment(redis, KEY)).isEqualTo(11);
        }
    }

    @Test
    void aWriteWhoseAnswerIsLostIsNotRepeated() {
        loseTheAnswer((redis, proxy) -> {
            CompletableFuture<Long> write =
                    CompletableFuture.supplyAsync(() -> Sample.increment(redis, KEY), Thread::startVirtualThread);
            Eventually.until("it has happened", () -> "1".equals(stored()));
            proxy.reset();

            assertThatThrownBy(write::join).hasCauseInstanceOf(RedisUnavailableException.class);
            proxy.restore();

            assertThat(Sample.get(redis, KEY)).isEqualTo("1");
        });
    }

    @Test
    void aReadWhoseAnswerIsLostIsRepeated() {
        loseTheAnswer((redis, proxy) -> {
            // An INCR that is sent as if it only read shows how often it is done.
            CompletableFuture<Long> read = CompletableFuture.supplyAsync(
                    () -> redis.read(KEY, (commands, key) -> commands.incr(key)), Thread::startVirtualThread);
            Eventually.until("it has happened", () -> "1".equals(stored()));
            proxy.reset();
            proxy.restore();

            assertThat(read.join()).isEqualTo(2);
            assertThat(meters.counter("hotstate.redis.repeats").count()).isPositive();
        });
    }

    @Test
    void whatWasOnItsWayWhenTheConnectionBrokeIsNotSentAgain() {
        RedisOptions options = Sample.patient("redis://127.0.0.1:1");
        try (TcpProxy proxy = TcpProxy.to(server.port());
                Redis redis = connect(RedisOptions.of(through(proxy))
                        .withTimeout(options.timeout(), options.deadline())
                        .withConnections(1, 1))) {
            Sample.set(redis, KEY, "0");
            proxy.blackhole();
            List<CompletableFuture<Long>> lost = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                lost.add(CompletableFuture.supplyAsync(() -> Sample.increment(redis, KEY), Thread::startVirtualThread));
            }
            Eventually.until("all are under way", () -> redis.usage().inFlight() == 20);

            proxy.cut();
            assertThat(lost)
                    .allSatisfy(
                            call -> assertThatThrownBy(call::join).hasCauseInstanceOf(RedisUnavailableException.class));
            proxy.restore();
            Eventually.until("calls are answered", () -> Sample.canIncrement(redis, KEY));

            assertThat(stored()).isEqualTo("1");
        }
    }

    @Test
    void oneSilentConnectionAmongSeveralIsReplacedThoughTheCircuitStaysClosed() {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                Redis redis = connect(Sample.quick(through(proxy)).withConnections(2, 2))) {
            proxy.blackhole();
            assertThatThrownBy(() -> Sample.increment(redis, KEY)).isInstanceOf(RedisUnavailableException.class);
            assertThat(redis.usage().allClosed()).isTrue();
            long connections = proxy.connections();

            Eventually.until("the probe asks on a new connection", () -> proxy.connections() > connections);
            proxy.restore();

            Eventually.until("calls are answered", () -> Sample.canIncrement(redis, KEY));
        }
    }

    private Redis connect(RedisOptions options) {
        return Redis.connect(options, Sample.KEYSPACE, meters);
    }

    /** A way on which an answer takes so long that a test can break it first. */
    private void loseTheAnswer(BiConsumer<Redis, TcpProxy> test) {
        try (TcpProxy proxy = TcpProxy.to(server.port())) {
            RedisOptions options = Sample.patient(through(proxy)).withConnections(1, 1);
            try (Redis redis = connect(options)) {
                proxy.delay(Duration.ofSeconds(2));
                test.accept(redis, proxy);
            }
        }
    }

    private String stored() {
        return server.commands().get(nameOf(KEY));
    }

    private double failures(String reason) {
        return meters.counter("hotstate.redis.failures", "reason", reason).count();
    }

    private double transitions(String to) {
        return meters.counter("hotstate.redis.breaker.transitions", "to", to).count();
    }

    private static List<String> states(Redis redis) {
        return List.copyOf(redis.usage().circuits().values());
    }

    private static String through(TcpProxy proxy) {
        return "redis://127.0.0.1:" + proxy.port();
    }
}
