package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SettableClock;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The scripts under a rebuild, each of their replies. */
@ExtendWith(Testkit.class)
class IncarnationScriptsIT {
    private static final String HOLD_US = "2000000";

    private final SettableClock clock = SettableClock.at(Instant.parse("2026-06-01T12:00:00Z"));
    private final Partition partition = new Partition("e0");
    private final List<Key> key = List.of(CoreKeys.INCARNATION.of(partition));
    private final String name = ErrandKeys.KEYSPACE.wholeName(key.getFirst());
    private final RedisServer server;
    private Redis redis;

    IncarnationScriptsIT(RedisServer server) {
        this.server = server;
    }

    @BeforeEach
    void emptyRedis() {
        server.flushAll();
        redis = Redis.connect(Sample.patient(server.uri()).withClock(clock), ErrandKeys.KEYSPACE, TestMeters.REGISTRY);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void anEmptyPartitionIsOpenedThenReadyThenBeats() {
        assertThat(beat("1", 0).word()).isEqualTo("LOST");
        assertThat(open(1, 7).word()).isEqualTo("OPENED");
        assertThat(beat("1", 0).word()).as("not ready yet").isEqualTo("OTHER");
        assertThat(ready("1:7").word()).isEqualTo("READY");
        assertThat(beat("1", 0).word()).isEqualTo("BEATING");
    }

    @Test
    void beatsGrowAlsoWhileTheClockStandsStillOrJumpsBack() {
        makeReady(1);
        long first = beat("1", 0).number(0);
        long second = beat("1", first).number(0);
        clock.set(clock.instant().minus(Duration.ofHours(1)));
        long third = beat("1", second).number(0);

        assertThat(List.of(first, second, third)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aBeatOlderThanWhatWasSeenTellsOfAnOldCopy() {
        makeReady(1);
        long seen = beat("1", 0).number(0);

        assertThat(beat("1", seen + 1).word()).isEqualTo("BACK");
    }

    @Test
    void anotherProcessIsToldUnlessThePartitionMovedThere() {
        makeReady(1);
        server.commands().hset(name, "run_id", "another");

        assertThat(beat("1", 0).word()).isEqualTo("CHANGED");
        assertThat(Incarnations.BEAT
                        .run(redis, key, List.of("1", redis.scriptTime(), "0", HOLD_US, "1", "ours"))
                        .word())
                .isEqualTo("BEATING");
        assertThat(beat("1", 0).word()).as("adopted").isEqualTo("BEATING");
    }

    @Test
    void aLaterRebuilderTakesOverAndTheEarlierIsRefused() {
        open(1, 7);

        assertThat(open(1, 8).word()).isEqualTo("RESUMED");
        assertThat(open(1, 7).word()).isEqualTo("REFUSED");
        assertThat(ready("1:7").word()).isEqualTo("REFUSED");
        assertThatThrownBy(() -> wipe("1:7")).isInstanceOf(RebuildingException.class);
        assertThat(wipe("1:8")).isZero();
        assertThat(ready("1:8").word()).isEqualTo("READY");
    }

    @Test
    void aLaterRebuilderLearnsHowFarTheEarlierCameUnlessThatIsLost() {
        open(1, 7);
        assertThat(open(1, 8).text(0)).as("nothing was loaded").isEmpty();
        mark("1:8", "e0-00500");
        assertThatThrownBy(() -> mark("1:7", "e0-00900")).isInstanceOf(RebuildingException.class);
        assertThat(open(1, 9).text(0)).isEqualTo("e0-00500");

        server.flushAll();
        assertThat(open(1, 10).word()).isEqualTo("OPENED");
        assertThat(open(1, 11).text(0))
                .as("the note went with what it was about")
                .isEmpty();
    }

    @Test
    void aRebuilderThatFindsThePartitionReadyHasNothingToDo() {
        makeReady(1);

        assertThat(open(1, 9).word()).isEqualTo("READY");
    }

    @Test
    void aReadyPartitionOfAProcessThatIsGoneIsOpenedAnew() {
        makeReady(1);
        server.commands().hset(name, "run_id", "another");

        assertThat(open(1, 9).word()).isEqualTo("OPENED");
    }

    @Test
    void anOlderIncarnationCannotReplaceANewerOne() {
        makeReady(3);

        assertThat(open(2, 99).word()).isEqualTo("REFUSED");
        assertThat(beat("3", 0).word()).isEqualTo("BEATING");
    }

    @Test
    void theNextIncarnationKeepsTheFenceCounter() {
        makeReady(1);
        server.commands().hset(name, "fence", "1234567890123456");
        open(2, 1);

        assertThat(server.commands().hget(name, "fence")).isEqualTo("1234567890123456");
        assertThat(server.commands().hget(name, "until")).isNull();
    }

    @Test
    void everythingOfAnEarlierIncarnationIsWipedAlsoWhatNobodyDeclared() {
        String prefix = ErrandKeys.KEYSPACE.prefix();
        server.commands().zadd(prefix + ":{e0}:errand:schedule", 1, "a");
        server.commands().set(prefix + ":{e0}:left:by:an:older:version", "x");
        server.commands().set(prefix + ":{e1}:errand:of:another:partition", "x");
        open(1, 1);

        assertThat(new Wipe(redis, partition, new Pass.Rebuilder(1, 1)).run(() -> {}))
                .isEqualTo(2);

        assertThat(server.keys()).containsExactlyInAnyOrder(name, prefix + ":{e1}:errand:of:another:partition");
    }

    @Test
    void anotherInstallationIsRefusedWhileThisOneLives() {
        makeReady(1);
        beat("1", 0);

        assertThat(openAs("theirs", 1, 1).word()).as("with the same number").isEqualTo("STRANGER");
        assertThat(openAs("theirs", 9, 1).word()).as("with a greater one").isEqualTo("STRANGER");
        assertThat(beatAs("theirs", "1", 0).word()).isEqualTo("STRANGER");
        assertThat(beat("1", 0).word()).isEqualTo("BEATING");
    }

    @Test
    void aPartitionOfAnEarlierVersionHasAnOwnerFromItsNextBeatOn() {
        makeReady(1);
        server.commands().hdel(name, "owner");
        beat("1", 0);

        assertThat(beatAs("theirs", "1", 0).word()).isEqualTo("STRANGER");
    }

    @Test
    void anotherInstallationTakesOverWhatNobodyBeatsFor() {
        makeReady(1);
        clock.advance(Duration.ofSeconds(3));

        assertThat(beatAs("theirs", "1", 0).word()).isEqualTo("OTHER");
        assertThat(openAs("theirs", 1, 1).word()).isEqualTo("OPENED");
        assertThat(ready("1:1").word()).isEqualTo("READY");
        assertThat(beat("1", 0).word()).isEqualTo("STRANGER");
    }

    private void makeReady(long incarnation) {
        open(incarnation, 1);
        ready(incarnation + ":1");
    }

    private Reply open(long number, long token) {
        return openAs("ours", number, token);
    }

    private Reply openAs(String owner, long number, long token) {
        return Incarnations.OPEN.run(
                redis, key, List.of(Long.toString(number), Long.toString(token), redis.scriptTime(), owner));
    }

    private Reply ready(String pass) {
        return Incarnations.READY.run(redis, key, List.of(pass, redis.scriptTime(), HOLD_US));
    }

    private String mark(String pass, String cursor) {
        return Rebuilder.MARK.run(redis, key, List.of(pass, redis.scriptTime(), cursor));
    }

    private Reply beat(String pass, long seen) {
        return beatAs("ours", pass, seen);
    }

    private Reply beatAs(String owner, String pass, long seen) {
        return Incarnations.BEAT.run(
                redis, key, List.of(pass, redis.scriptTime(), Long.toString(seen), HOLD_US, "0", owner));
    }

    private long wipe(String pass) {
        return Wipe.WIPE.run(
                redis, List.of(key.getFirst(), ErrandKeys.SCHEDULE.of(partition)), List.of(pass, redis.scriptTime()));
    }
}
