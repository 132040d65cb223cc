package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.hotstate.core.KeyspaceCensus.Census;
import dev.hotstate.core.KeyspaceCensus.Count;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every key is counted once, wherever it lives. */
abstract class KeyspaceCensusContract {
    static final KeyFamily NOTE = KeyFamily.string("{<tag>}:note")
            .id("tag", 16)
            .owner("test")
            .kept("for the test")
            .typically(1, 100)
            .example("{a}:note")
            .why("a test")
            .declared();
    static final KeyFamily UNUSED = KeyFamily.hash("{<tag>}:unused")
            .id("tag", 16)
            .owner("test")
            .kept("for the test")
            .typically(1, 100)
            .example("{a}:unused")
            .why("a test")
            .declared();
    static final Keyspace KEYSPACE =
            Keyspace.of("it:census", new Service("test", List.of(NOTE, UNUSED), List.of(), Set.of()));
    static final SettableClock CLOCK = SettableClock.at(Instant.parse("2026-01-02T03:04:05Z"));

    private final RedisTarget target;
    private final Redis redis;

    KeyspaceCensusContract(RedisTarget target) {
        this.target = target;
        this.redis = connect(target);
    }

    static Redis connect(RedisTarget target) {
        return Redis.connect(Sample.patient(target.uri()), KEYSPACE, new SimpleMeterRegistry());
    }

    @BeforeEach
    void empty() {
        target.flushAll();
    }

    @AfterEach
    void disconnect() {
        redis.close();
    }

    @Test
    void everyKeyIsCountedAndTheirMemoryIsThatOfASample() {
        for (int i = 0; i < 2_000; i++) {
            target.commands().set(KEYSPACE.wholeName(NOTE.of("tag-" + i)), "x".repeat(100));
        }
        long each = target.commands().memoryUsage(KEYSPACE.wholeName(NOTE.of("tag-1000")));

        Census census = take(Duration.ofSeconds(30));

        Count notes = census.families().get(NOTE);
        assertThat(notes.keys()).isEqualTo(2_000);
        assertThat(notes.bytes()).isCloseTo(2_000 * each, withinPercentage(5));
        assertThat(notes.sampled()).isBetween(100L, 300L);
        assertThat(census.families()).containsEntry(UNUSED, Count.NONE);
        assertThat(census.undeclared().keys()).isZero();
        assertThat(census.complete()).isTrue();
        assertThat(census.sampledAt()).isEqualTo(CLOCK.instant());
    }

    @Test
    void whatNobodyDeclaredIsCountedWithAFewExamples() {
        for (int i = 0; i < 30; i++) {
            target.commands().set("it:census:stray-" + i, "x");
        }
        target.commands().set("it:other:stray", "x");
        target.commands().set("it:census2:stray", "x");

        Census census = take(Duration.ofSeconds(30));

        assertThat(census.undeclared().keys()).isEqualTo(30);
        assertThat(census.undeclared().examples()).hasSize(10).allMatch(name -> name.startsWith("it:census:stray-"));
    }

    @Test
    void aCensusThatRunsOutOfTimeIsNoneOrIncomplete() {
        for (int i = 0; i < 2_000; i++) {
            target.commands().set(KEYSPACE.wholeName(NOTE.of("tag-" + i)), "x");
        }

        assertThat(new KeyspaceCensus(redis, CLOCK, Duration.ofNanos(1)).take())
                .satisfiesAnyOf(
                        census -> assertThat(census).isEmpty(),
                        census -> assertThat(census)
                                .hasValueSatisfying(partial ->
                                        assertThat(partial.complete()).isFalse()));
    }

    private Census take(Duration atMost) {
        return new KeyspaceCensus(redis, CLOCK, atMost).take().orElseThrow();
    }
}
