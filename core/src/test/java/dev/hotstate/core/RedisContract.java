package dev.hotstate.core;

import static dev.hotstate.core.Sample.ADD;
import static dev.hotstate.core.Sample.ECHO;
import static dev.hotstate.core.Sample.counter;
import static dev.hotstate.core.Sample.nameOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.RedisTarget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a caller of {@link Redis} and {@link Script} may rely on, on one Redis and on a Cluster alike. */
abstract class RedisContract {
    private static final List<String> PARTITIONS = List.of("p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7");

    final RedisTarget target;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Redis redis;

    RedisContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void connect() {
        target.flushAll();
        redis = Redis.connect(Sample.patient(target.uri()), Sample.KEYSPACE, meters);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void whatIsWrittenIsReadUnderThePrefix() {
        Sample.set(redis, counter("p0", "a"), "5");

        assertThat(Sample.get(redis, counter("p0", "a"))).isEqualTo("5");
        assertThat(target.keys()).containsExactly("test:core:{p0}:counter:a");
    }

    @Test
    void aKeyThatIsNotThereReadsAsNull() {
        assertThat(Sample.get(redis, counter("p0", "none"))).isNull();
    }

    @Test
    void manyReadsGoTogetherAndAreAnsweredInOrder() {
        List<Key> keys = PARTITIONS.stream().map(p -> counter(p, "a")).toList();
        keys.forEach(key -> Sample.set(redis, key, key.tag()));

        assertThat(redis.readAll(keys, (commands, key) -> commands.get(key))).isEqualTo(PARTITIONS);
        assertThat(redis.usage().inFlight()).isZero();
    }

    @Test
    void aFallBackIsNotAskedWhileRedisAnswers() {
        String answer =
                redis.readOr(counter("p0", "a"), (commands, key) -> commands.get(key), unavailable -> "elsewhere");

        assertThat(answer).isNull();
    }

    @Test
    void aKeyOfAFamilyThatTheKeyspaceDoesNotDeclareIsRefused() {
        Key stranger = Sample.STRANGER.of("p0");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> redis.read(stranger, (commands, key) -> commands.get(key)))
                .withMessageContaining("does not declare");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ADD.run(redis, List.of(counter("p0", "a"), stranger), List.of("1")))
                .withMessageContaining("does not declare");
    }

    @Test
    void aScriptOnKeysOfTwoTagsIsRefusedAlsoWhereRedisWouldTakeThem() {
        List<Key> mixed = List.of(counter("p0", "a"), counter("p1", "a"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ADD.run(redis, mixed, List.of("1")))
                .withMessageContaining("do not share a tag");
    }

    @Test
    void aScriptCalledWithTooFewKeysIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ADD.run(redis, List.of(counter("p0", "a")), List.of("1")))
                .withMessageContaining("[first, second]");
    }

    @Test
    void aScriptRunsThoughRedisHasForgottenIt() {
        assertThat(add("p0", 1)).containsExactly(1L, 1L);

        target.commands().scriptFlush();

        assertThat(add("p0", 1)).containsExactly(2L, 2L);
        assertThat(add("p0", 1)).containsExactly(3L, 3L);
    }

    @Test
    void aPipelineOfScriptsRunsEachOnceThoughRedisHasForgottenThem() {
        PARTITIONS.forEach(partition -> add(partition, 1));
        target.commands().scriptFlush();
        add("p3", 1);
        List<Script.Call> calls = IntStream.range(0, 400)
                .mapToObj(i -> call(PARTITIONS.get(i % PARTITIONS.size())))
                .toList();

        List<List<Long>> answers = ADD.runAll(redis, calls);

        assertThat(answers).hasSize(400);
        PARTITIONS.forEach(partition -> assertThat(target.commands().get(nameOf(counter(partition, "a"))))
                .isEqualTo(partition.equals("p3") ? "52" : "51"));
        assertThat(redis.usage().inFlight()).isZero();
    }

    @Test
    void aReplyIsDecodedToTextNumbersAndLists() {
        Reply reply = echo("ECHO");

        assertThat(reply.word()).isEqualTo("ECHO");
        assertThat(reply.size()).isEqualTo(3);
        assertThat(reply.text(0)).isEqualTo("HELLO");
        assertThat(reply.number(1)).isEqualTo(7);
        assertThat(reply.list(2)).containsExactly("a", "b", "3");
    }

    @Test
    void aPartitionThatIsRebuiltAnswersWithAnExceptionThatNamesIt() {
        assertThatThrownBy(() -> echo("REBUILDING"))
                .isInstanceOf(RebuildingException.class)
                .hasMessageContaining("{p0}");
    }

    @Test
    void aReplyThatTheHeaderDoesNotListFails() {
        assertThatThrownBy(() -> echo("SURPRISE"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("SURPRISE");
    }

    @Test
    void whatRedisRefusesIsNotRepeatedAndDoesNotCountAgainstTheNode() {
        Key key = counter("p0", "word");
        Sample.set(redis, key, "no number");

        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> redis.read(key, (commands, name) -> commands.incr(name)))
                    .isInstanceOf(RedisRefusedException.class)
                    .hasMessageContaining("not an integer");
        }
        assertThat(redis.usage().allClosed()).isTrue();
        assertThat(meters.counter("hotstate.redis.repeats").count()).isZero();
        assertThat(meters.counter("hotstate.redis.failures", "reason", "refused")
                        .count())
                .isEqualTo(10);
    }

    @Test
    void aPipelineOfWhichOneFailsLeavesNothingUnderWay() {
        Sample.set(redis, counter("p0", "a"), "no number");
        List<Script.Call> calls = IntStream.range(0, 50)
                .mapToObj(i -> call(PARTITIONS.get(i % 8)))
                .toList();

        assertThatThrownBy(() -> ADD.runAll(redis, calls)).isInstanceOf(RedisRefusedException.class);

        assertThat(redis.usage().inFlight()).isZero();
    }

    @Test
    void aMistakeInACommandIsTheCallersAndNotRedisOwn() {
        assertThatThrownBy(() -> redis.write(counter("p0", "a"), (commands, key) -> {
                    throw new IllegalStateException("a mistake");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a mistake");

        assertThat(redis.usage().inFlight()).isZero();
    }

    @Test
    void callsConnectionsAndRepliesAreMeasured() {
        add("p0", 1);
        Sample.get(redis, counter("p0", "a"));

        assertThat(meters.timer("hotstate.redis.calls").count()).isEqualTo(2);
        assertThat(meters.get("hotstate.redis.connections").gauge().value()).isEqualTo(5);
        assertThat(meters.get("hotstate.redis.calls.inflight").gauge().value()).isZero();
        assertThat(meters.counter("hotstate.script.replies", "script", "sample/add", "reply", "ADDED")
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("hotstate.redis.breaker.state").gauge().value()).isZero();
    }

    @Test
    void aScriptDecidesForSeveralTagsWhereOneNodeServesThemAll() {
        List<Key> keys = List.of(counter("p0", "a"), counter("p1", "b"));
        if (target.isCluster()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ADD.runTogether(redis, keys, List.of("1")))
                    .withMessageContaining("do not share a tag");
            assertThat(target.keys()).isEmpty();
        } else {
            assertThat(ADD.runTogether(redis, keys, List.of("3"))).isEqualTo(List.of(3L, 3L));
        }
        assertThat(ADD.runTogether(redis, call("p2").keys(), List.of("2"))).isEqualTo(List.of(2L, 2L));
    }

    @Test
    void everyMasterTellsOfItself() {
        assertThat(redis.masters()).hasSize(target.isCluster() ? 3 : 1);
        assertThat(redis.masters()).allSatisfy(node -> {
            assertThat(redis.info(node, "server")).containsKey("run_id");
            assertThat(redis.node(node)).isPresent();
        });
        assertThat(redis.isCluster()).isEqualTo(target.isCluster());
    }

    private List<Long> add(String partition, int amount) {
        Script.Call call = call(partition);
        return ADD.run(redis, call.keys(), List.of(Integer.toString(amount)));
    }

    private static Script.Call call(String partition) {
        return new Script.Call(List.of(counter(partition, "a"), counter(partition, "b")), List.of("1"));
    }

    private Reply echo(String word) {
        return ECHO.run(redis, List.of(counter("p0", "a")), List.of(word, "hello"));
    }
}
