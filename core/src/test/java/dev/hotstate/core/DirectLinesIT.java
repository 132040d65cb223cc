package dev.hotstate.core;

import static dev.hotstate.core.Sample.ADD;
import static dev.hotstate.core.Sample.ECHO;
import static dev.hotstate.core.Sample.counter;
import static dev.hotstate.core.Sample.nameOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import io.lettuce.core.KillArgs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls on lines of their own: the same answers and the same failures as on shared connections. */
class DirectLinesIT {
    private static final List<Key> KEYS = List.of(counter("p0", "a"), counter("p0", "b"));

    private final RedisServer server = RedisServer.start();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void aCallNeedNotWaitForItsLineAndIsAnsweredAsOnASharedConnection() {
        try (Redis redis = connect(Sample.patient(server.uri()))) {
            assertThat(ADD.runDirectly(redis, KEYS, List.of("1"))).containsExactly(1L, 1L);
            Eventually.until("there is a line", () -> redis.usage().lines() == 1);

            assertThat(ADD.runDirectly(redis, KEYS, List.of("1"))).containsExactly(2L, 2L);
            assertThat(ADD.run(redis, KEYS, List.of("1"))).containsExactly(3L, 3L);
            assertThat(busyLines()).isEqualTo(1);
            assertThat(redis.usage().inFlight()).isZero();
        }
    }

    @Test
    void aLargeCommandAndItsLargeAnswerComeWhole() {
        String large = "ü".repeat(3_000_000);
        try (Redis redis = connect(Sample.patient(server.uri()))) {
            openLine(redis);

            Reply reply = ECHO.runDirectly(redis, KEYS, List.of("ECHO", large));

            assertThat(reply.text(0)).isEqualTo(large);
            assertThat(ADD.runDirectly(redis, KEYS, List.of("1"))).containsExactly(2L, 2L);
            assertThat(busyLines()).isEqualTo(1);
        }
    }

    @Test
    void aScriptRunsOnceThoughRedisHasForgottenIt() {
        try (Redis redis = connect(Sample.patient(server.uri()))) {
            openLine(redis);
            server.commands().scriptFlush();

            assertThat(ADD.runDirectly(redis, KEYS, List.of("1"))).containsExactly(2L, 2L);
            assertThat(ADD.runDirectly(redis, KEYS, List.of("1"))).containsExactly(3L, 3L);
        }
    }

    @Test
    void whatRedisRefusesIsNotRepeatedAndTheLineGoesOn() {
        try (Redis redis = connect(Sample.patient(server.uri()))) {
            openLine(redis);
            server.commands().set(nameOf(KEYS.getLast()), "no number");

            assertThatThrownBy(() -> ADD.runDirectly(redis, KEYS, List.of("1")))
                    .isInstanceOf(RedisRefusedException.class);

            assertThat(server.commands().get(nameOf(KEYS.getFirst()))).isEqualTo("2");
            assertThat(redis.usage().lines()).isEqualTo(1);
            assertThat(redis.usage().allClosed()).isTrue();
        }
    }

    @Test
    void aLineThatRedisHasClosedMeanwhileFailsNoCall() {
        try (Redis redis = connect(Sample.patient(server.uri()))) {
            openLine(redis);
            killLines();

            assertThat(ADD.runDirectly(redis, KEYS, List.of("1"))).containsExactly(2L, 2L);
            Eventually.until("there is another line", () -> {
                ADD.runDirectly(redis, KEYS, List.of("0"));
                return busyLines() > 0;
            });
        }
    }

    @Test
    void aLineIsOpenedAsTheUserOfTheAddress() {
        try (RedisServer guarded = RedisServer.start(
                        "user default off", "user worker on >secret ~* +@all -client|setname", "requirepass secret");
                Redis redis = connect(Sample.patient("redis://worker:secret@127.0.0.1:" + guarded.port() + "/3"))) {
            ADD.runDirectly(redis, KEYS, List.of("1"));
            Eventually.until("there is a line", () -> redis.usage().lines() == 1);

            assertThat(ADD.runDirectly(redis, KEYS, List.of("1"))).containsExactly(2L, 2L);
        }
    }

    @Test
    void aWriteWhoseAnswerIsLostIsNotRepeated() {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                Redis redis = connect(Sample.patient(through(proxy)))) {
            openLine(redis);
            proxy.delay(Duration.ofSeconds(2));
            CompletableFuture<List<Long>> call = CompletableFuture.supplyAsync(
                    () -> ADD.runDirectly(redis, KEYS, List.of("1")), Thread::startVirtualThread);
            Eventually.until(
                    "it has happened", () -> "2".equals(server.commands().get(nameOf(KEYS.getFirst()))));
            proxy.reset();

            assertThatThrownBy(call::join)
                    .hasCauseInstanceOf(RedisUnavailableException.class)
                    .hasMessageContaining("broke");
            assertThat(server.commands().get(nameOf(KEYS.getFirst()))).isEqualTo("2");
            assertThat(redis.usage().inFlight()).isZero();
        }
    }

    @Test
    void aRedisThatHangsFailsTheCallInTimeAndItsLateAnswerIsNobodys() {
        try (Redis redis = connect(Sample.quick(server.uri()))) {
            openLine(redis);
            server.pause();

            assertThatThrownBy(() -> ADD.runDirectly(redis, KEYS, List.of("10")))
                    .isInstanceOf(RedisUnavailableException.class)
                    .hasMessageContaining("did not answer in time");
            assertThat(redis.usage().inFlight()).isZero();
            assertThat(redis.usage().lines()).isZero();
            server.resume();

            Eventually.until(
                    "the late call has happened",
                    () -> "11".equals(server.commands().get(nameOf(KEYS.getFirst()))));
            Eventually.until("there is a line again", () -> {
                assertThat(total(redis)).isEqualTo(11);
                return redis.usage().lines() > 0;
            });
            assertThat(total(redis)).isEqualTo(11);
        }
    }

    @Test
    void aRedisThatHangsWhileALargeCommandIsWrittenFailsTheCallInTime() {
        String large = "x".repeat(50_000_000);
        try (Redis redis = connect(Sample.quick(server.uri()))) {
            openLine(redis);
            server.pause();

            CompletableFuture<Reply> call = CompletableFuture.supplyAsync(
                    () -> ECHO.runDirectly(redis, KEYS, List.of("ECHO", large)), Thread::startVirtualThread);

            Eventually.until("it has failed", call::isDone);
            assertThatThrownBy(call::join)
                    .hasCauseInstanceOf(RedisUnavailableException.class)
                    .hasMessageContaining("did not answer in time");
            assertThat(redis.usage().lines()).isZero();
            server.resume();
        }
    }

    @Test
    void aKilledRedisOpensTheCircuitAndAllRecoversOnceItIsBack() {
        try (Redis redis = connect(Sample.quick(server.uri()))) {
            openLine(redis);
            server.kill();
            Eventually.until("the circuit is open", () -> {
                assertThatThrownBy(() -> ADD.runDirectly(redis, KEYS, List.of("1")))
                        .isInstanceOf(RedisUnavailableException.class);
                return redis.usage().circuits().containsValue("open");
            });

            server.restart();

            Eventually.until("there is a line", () -> {
                try {
                    ADD.runDirectly(redis, KEYS, List.of("1"));
                } catch (RedisUnavailableException notYet) {
                    return false;
                }
                return redis.usage().lines() > 0;
            });
            assertThat(redis.usage().inFlight()).isZero();
        }
    }

    @Test
    void aCallerWhoIsInterruptedStopsWaiting() throws InterruptedException {
        try (Redis redis = connect(Sample.patient(server.uri()))) {
            openLine(redis);
            server.pause();
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    ADD.runDirectly(redis, KEYS, List.of("1"));
                } catch (RuntimeException failed) {
                    thrown.set(Thread.currentThread().isInterrupted() ? failed : new AssertionError("not interrupted"));
                }
            });
            Eventually.until("it waits", () -> redis.usage().inFlight() == 1);

            caller.interrupt();
            caller.join();

            assertThat(thrown.get())
                    .isInstanceOf(RedisUnavailableException.class)
                    .hasMessageContaining("interrupted");
            assertThat(redis.usage().allClosed()).isTrue();
            server.resume();
        }
    }

    @Test
    void whoWaitsWhenRedisIsClosedHearsOfIt() {
        Redis redis = connect(Sample.patient(server.uri()));
        openLine(redis);
        server.pause();
        CompletableFuture<List<Long>> call = CompletableFuture.supplyAsync(
                () -> ADD.runDirectly(redis, KEYS, List.of("1")), Thread::startVirtualThread);
        Eventually.until("it waits", () -> redis.usage().inFlight() == 1);

        redis.close();

        assertThatThrownBy(call::join).hasCauseInstanceOf(RedisUnavailableException.class);
        server.resume();
    }

    @Test
    void manyCallersShareFewLinesAndAllAreAnswered() {
        try (Redis redis = connect(Sample.patient(server.uri()))) {
            List<CompletableFuture<List<Long>>> calls = IntStream.range(0, 500)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> ADD.runDirectly(redis, KEYS, List.of("1")), Thread::startVirtualThread))
                    .toList();

            assertThat(calls.stream().map(CompletableFuture::join).map(List::getFirst))
                    .doesNotHaveDuplicates()
                    .contains(1L, 500L);
            assertThat(redis.usage().lines()).isLessThanOrEqualTo(4);
            assertThat(redis.usage().inFlight()).isZero();
        }
    }

    private Redis connect(RedisOptions options) {
        return Redis.connect(options, Sample.KEYSPACE, meters);
    }

    /** By a call that adds one. */
    private void openLine(Redis redis) {
        ADD.runDirectly(redis, KEYS, List.of("1"));
        Eventually.until("there is a line", () -> redis.usage().lines() == 1);
    }

    private static long total(Redis redis) {
        return ADD.runDirectly(redis, KEYS, List.of("0")).getFirst();
    }

    /** Lines that are open now and have carried a script last. */
    private long busyLines() {
        return server.commands()
                .clientList()
                .lines()
                .filter(client -> client.contains("name=" + DirectLine.NAME) && client.contains("cmd=evalsha"))
                .count();
    }

    private void killLines() {
        server.commands()
                .clientList()
                .lines()
                .filter(client -> client.contains("name=" + DirectLine.NAME))
                .map(client -> client.replaceAll("^id=(\\d+) .*", "$1"))
                .forEach(id -> server.commands().clientKill(KillArgs.Builder.id(Long.parseLong(id))));
    }

    private static String through(TcpProxy proxy) {
        return "redis://127.0.0.1:" + proxy.port();
    }
}
