package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an agenda promises, on one Redis and on a cluster. */
abstract class AgendaContract {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final SettableClock clock = SettableClock.at(NOON);
    private final Partition partition = new Partition("e0");
    private final RedisTarget target;
    private Redis redis;
    private Agenda agenda;

    AgendaContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void emptyAgenda() {
        target.flushAll();
        redis = Redis.connect(Sample.patient(target.uri()).withClock(clock), ErrandKeys.KEYSPACE, TestMeters.REGISTRY);
        agenda = agenda(ReadyPartition.open(redis, partition, 1));
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void whatIsDueIsClaimedInOrderAndWhatIsNotStays() {
        agenda.put(partition, Map.of("late", at(-5), "now", at(0), "later", at(5)));

        Claimed first = agenda.claim(partition, 10, LEASE);

        assertThat(first.claims()).extracting(Claim::id).containsExactly("late", "now");
        assertThat(first.claims()).extracting(Claim::due).containsExactly(NOON.minusSeconds(5), NOON);
        assertThat(first.now()).contains(NOON);
        assertThat(agenda.claim(partition, 10, LEASE).nextDue()).contains(Duration.ofSeconds(5));
    }

    @Test
    void anEmptyAgendaSaysThatNothingIsComing() {
        Claimed nothing = agenda.claim(partition, 10, LEASE);

        assertThat(nothing.claims()).isEmpty();
        assertThat(nothing.nextDue()).isEmpty();
    }

    @Test
    void aHeldEntryIsNobodyElsesUntilItsLeaseEnds() {
        agenda.put(partition, "a", Due.now());
        agenda.claim(partition, 10, LEASE);

        clock.advance(LEASE.minusMillis(1));
        assertThat(agenda.claim(partition, 10, LEASE).claims()).isEmpty();

        clock.advance(Duration.ofMillis(1));
        Claimed again = agenda.claim(partition, 10, LEASE);
        assertThat(again.claims()).singleElement().matches(Claim::lapsed);
    }

    @Test
    void aLateHolderIsRefusedOnceItsEntryWasReclaimed() {
        agenda.put(partition, "a", Due.now());
        Claim dead = claimOne();
        clock.advance(LEASE);
        Claim alive = claimOne();

        assertThat(alive.fence()).isGreaterThan(dead.fence());
        assertThat(agenda.extend(List.of(dead), LEASE)).containsExactly(dead);
        assertThat(agenda.reschedule(Map.of(dead, Due.now()))).containsExactly(dead);
        assertThat(agenda.done(List.of(dead))).containsExactly(dead);
        assertThat(agenda.done(List.of(alive))).isEmpty();
        assertThat(agenda.depth(partition).entries()).isZero();
    }

    @Test
    void aHolderWhoseLeaseRanOutButWhomNobodyReplacedMayStillFinish() {
        agenda.put(partition, "a", Due.now());
        Claim slow = claimOne();
        clock.advance(LEASE.multipliedBy(3));

        assertThat(agenda.done(List.of(slow))).isEmpty();
        assertThat(agenda.depth(partition).entries()).isZero();
    }

    @Test
    void aHeartbeatKeepsAnEntryUnderTheSameFence() {
        agenda.put(partition, "a", Due.now());
        Claim claim = claimOne();
        clock.advance(Duration.ofSeconds(20));
        assertThat(agenda.extend(List.of(claim), LEASE)).isEmpty();
        clock.advance(Duration.ofSeconds(20));

        assertThat(agenda.claim(partition, 10, LEASE).claims()).isEmpty();
        assertThat(agenda.done(List.of(claim))).isEmpty();
    }

    @Test
    void aRescheduledEntryComesUpAtItsTime() {
        agenda.put(partition, "a", Due.now());
        agenda.reschedule(Map.of(claimOne(), Due.in(Duration.ofMinutes(1))));

        assertThat(agenda.claim(partition, 1, LEASE).nextDue()).contains(Duration.ofMinutes(1));
        clock.advance(Duration.ofMinutes(1));
        assertThat(claimOne().lapsed()).isFalse();
    }

    @Test
    void aPutWhileHeldIsNotSwallowedByTheHoldersDone() {
        agenda.put(partition, "a", Due.now());
        Claim claim = claimOne();

        assertThat(agenda.put(partition, "a", at(10)).noted()).isEqualTo(1);
        assertThat(agenda.put(partition, "a", at(5)).noted()).isEqualTo(1);
        agenda.done(List.of(claim));

        assertThat(agenda.claim(partition, 1, LEASE).nextDue()).contains(Duration.ofSeconds(5));
    }

    @Test
    void aPutWhileHeldOutlivesAHolderThatDied() {
        agenda.put(partition, "a", Due.now());
        claimOne();
        agenda.put(partition, "a", at(40));
        clock.advance(LEASE);

        agenda.done(List.of(claimOne()));

        assertThat(agenda.claim(partition, 1, LEASE).nextDue()).contains(Duration.ofSeconds(10));
    }

    @Test
    void whatIsOnTheScheduleStaysAsItIsWhenOnlyWhatIsAbsentIsPut() {
        agenda.put(partition, Map.of("scheduled", at(10), "held", Due.now()));
        Claim held = claimOne();

        assertThat(agenda.putIfAbsent(partition, Map.of("scheduled", at(1), "held", at(1), "new", at(20))))
                .isEqualTo(new Agenda.Placed(1, 0));

        agenda.done(List.of(held));
        assertThat(agenda.claim(partition, 1, LEASE).nextDue()).contains(Duration.ofSeconds(10));
        assertThat(agenda.depth(partition).entries()).isEqualTo(2);
    }

    @Test
    void aDroppedEntryIsGoneAndItsHolderRefused() {
        agenda.put(partition, "a", Due.now());
        Claim claim = claimOne();

        assertThat(agenda.drop(partition, List.of("a", "unknown"))).isEqualTo(1);
        assertThat(agenda.reschedule(Map.of(claim, Due.now()))).containsExactly(claim);
        assertThat(agenda.depth(partition).entries()).isZero();
    }

    @Test
    void anEntryIsTakenBeforeItsTimeAndFromItsHolder() {
        agenda.put(partition, "a", at(60));

        Claim mine = agenda.take(partition, "a", LEASE).orElseThrow().claims().getFirst();
        Claim yours = agenda.take(partition, "a", LEASE).orElseThrow().claims().getFirst();

        assertThat(mine.due()).isEqualTo(NOON.plusSeconds(60));
        assertThat(mine.lapsed()).isFalse();
        assertThat(yours.lapsed()).isTrue();
        assertThat(yours.fence()).isGreaterThan(mine.fence());
        assertThat(agenda.done(List.of(mine))).containsExactly(mine);
        assertThat(agenda.done(List.of(yours))).isEmpty();
        assertThat(agenda.take(partition, "a", LEASE)).isEmpty();
    }

    @Test
    void aReleasedEntryIsDueAgainAtOnce() {
        agenda.put(partition, "a", Due.now());
        Claim handedBack = claimOne();

        assertThat(agenda.release(List.of(handedBack))).isEmpty();

        assertThat(claimOne().due()).isEqualTo(handedBack.due());
    }

    @Test
    void oneStaleEntryOfABatchDoesNotStopTheOthers() {
        agenda.put(partition, Map.of("a", Due.now(), "b", Due.now(), "c", Due.now()));
        List<Claim> claims = agenda.claim(partition, 10, LEASE).claims();
        agenda.done(claims.subList(1, 2));

        assertThat(agenda.done(claims)).containsExactly(claims.get(1));
        assertThat(agenda.depth(partition).entries()).isZero();
    }

    @Test
    void fencesGrowAlsoWhenRedissClockJumpsBack() {
        agenda.put(partition, Map.of("a", at(-7200), "b", at(-7200)));
        Fence before = claimOne().fence();
        clock.set(NOON.minus(Duration.ofHours(1)));

        assertThat(claimOne().fence()).isGreaterThan(before);
    }

    @Test
    void aClockThatJumpsForwardLetsAnEntryRunTwiceButOnlyTheNewFenceCounts() {
        agenda.put(partition, "a", Due.now());
        Claim before = claimOne();
        clock.advance(Duration.ofDays(1));
        Claim after = claimOne();

        assertThat(agenda.done(List.of(before))).containsExactly(before);
        assertThat(agenda.done(List.of(after))).isEmpty();
    }

    @Test
    void nothingIsDoneUnderThePassOfAnOlderIncarnation() {
        agenda.put(partition, "a", Due.now());
        Claim claim = claimOne();
        Agenda next = agenda(ReadyPartition.open(redis, partition, 2));

        assertThatThrownBy(() -> agenda.put(partition, "b", Due.now())).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> agenda.claim(partition, 1, LEASE)).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> agenda.take(partition, "a", LEASE)).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> agenda.extend(List.of(claim), LEASE)).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> agenda.done(List.of(claim))).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> agenda.drop(partition, List.of("a"))).isInstanceOf(RebuildingException.class);
        assertThat(next.depth(partition)).isEqualTo(new Agenda.Depth(1, 0, 1, Duration.ZERO));
    }

    @Test
    void anIncarnationThatStoppedBeatingAdmitsNobody() {
        target.flushAll();
        List<Key> key = List.of(CoreKeys.INCARNATION.of(partition));
        Incarnations.OPEN.run(redis, key, List.of("1", "1", redis.scriptTime(), "ours"));
        Incarnations.READY.run(redis, key, List.of("1:1", redis.scriptTime(), "2000000"));
        agenda.put(partition, "a", Due.now());
        clock.advance(Duration.ofSeconds(2));

        assertThatThrownBy(() -> claimOne()).isInstanceOf(RebuildingException.class);
    }

    @Test
    void leasesThatRanOutWhileNobodyCouldReachRedisGetOneLeaseMore() {
        target.flushAll();
        List<Key> key = List.of(CoreKeys.INCARNATION.of(partition));
        Incarnations.OPEN.run(redis, key, List.of("1", "1", redis.scriptTime(), "ours"));
        Incarnations.READY.run(redis, key, List.of("1:1", redis.scriptTime(), "2000000"));
        agenda.put(partition, Map.of("held", Due.now()));
        Claim held = claimOne();
        agenda.put(partition, "fresh", at(50));
        clock.advance(Duration.ofSeconds(60));
        Incarnations.BEAT.run(redis, key, List.of("1", redis.scriptTime(), "0", "2000000000", "0", "ours"));

        assertThat(agenda.claim(partition, 10, LEASE).claims())
                .extracting(Claim::id)
                .containsExactly("fresh");
        assertThat(agenda.extend(List.of(held), LEASE)).isEmpty();
        clock.advance(LEASE.plusSeconds(1));
        assertThat(agenda.claim(partition, 10, LEASE).claims())
                .extracting(Claim::id)
                .contains("held");
    }

    @Test
    void claimsOfSeveralPartitionsAreSettledTogether() {
        Partition other = new Partition("e1");
        Passes both = ReadyPartition.open(redis, other, 1);
        Agenda agenda = agenda(both);
        List<Claim> claims = new ArrayList<>();
        for (Partition each : List.of(partition, other)) {
            agenda.put(each, "a", Due.now());
            claims.addAll(agenda.claim(each, 1, LEASE).claims());
        }

        assertThat(agenda.done(claims)).isEmpty();
        assertThat(agenda.depth(partition).entries() + agenda.depth(other).entries())
                .isZero();
    }

    @Test
    void batchesBeyondTheBoundAreRefused() {
        Map<String, Due> many = new HashMap<>();
        for (int i = 0; i <= Agenda.MAX_BATCH; i++) {
            many.put("e" + i, Due.now());
        }

        assertThatThrownBy(() -> agenda.put(partition, many)).hasMessageContaining("1 to 500 entries, not 501");
        assertThatThrownBy(() -> agenda.claim(partition, 0, LEASE)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> agenda.claim(partition, 1, Duration.ZERO)).hasMessageContaining("lease");
    }

    @Test
    void aFullBatchGoesThroughInOneCall() {
        Map<String, Due> many = new HashMap<>();
        for (int i = 0; i < Agenda.MAX_BATCH; i++) {
            many.put("e" + i, Due.now());
        }
        agenda.put(partition, many);

        List<Claim> claims = agenda.claim(partition, Agenda.MAX_BATCH, LEASE).claims();

        assertThat(claims).hasSize(Agenda.MAX_BATCH);
        assertThat(agenda.done(claims)).isEmpty();
    }

    private Claim claimOne() {
        return agenda.claim(partition, 1, LEASE).claims().getFirst();
    }

    private Agenda agenda(Passes passes) {
        return new Agenda(redis, passes, ErrandKeys.SCHEDULE, ErrandKeys.FENCES);
    }

    private static Due at(long seconds) {
        return Due.at(NOON.plusSeconds(seconds));
    }
}
