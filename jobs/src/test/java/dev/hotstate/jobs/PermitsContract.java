package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.ReadyPartition;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many tasks of a queue run at once; on one Redis and on a cluster. */
abstract class PermitsContract {
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final RedisTarget target;
    private final SettableClock clock = SettableClock.at(Instant.parse("2026-06-01T12:00:00Z"));
    private final Partitions partitions = new Partitions("j", 3);
    private Redis redis;
    private RedisPermits permits;

    PermitsContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void open() {
        target.flushAll();
        redis = Redis.connect(
                RedisOptions.of(target.uri()).withClock(clock),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, JobKeys.SERVICE)),
                TestMeters.REGISTRY);
        Passes passes = Passes.always(new Pass.Ready(1));
        for (Partition partition : partitions.all()) {
            ReadyPartition.open(redis, partition, 1);
        }
        permits = new RedisPermits(redis, passes, partitions);
    }

    @AfterEach
    void close() {
        redis.close();
    }

    List<String> take(String queue, int wanted, int limit) {
        return permits.take(queue, wanted, limit, LEASE);
    }

    @Test
    void noMoreAreTakenThanTheLimitLeavesRoomFor() {
        assertThat(permits.take("mail", 2, 3, LEASE)).hasSize(2).doesNotHaveDuplicates();
        assertThat(permits.take("mail", 5, 3, LEASE)).hasSize(1);
        assertThat(permits.take("mail", 1, 3, LEASE)).isEmpty();
        assertThat(permits.take("other", 5, 3, LEASE)).hasSize(3);
    }

    @Test
    void oneThatIsGivenBackIsAnothersAndCountsOnce() {
        List<String> mine = permits.take("mail", 3, 3, LEASE);

        assertThat(permits.give("mail", mine.subList(0, 1))).isEqualTo(1);
        assertThat(permits.give("mail", mine.subList(0, 1))).isZero();

        assertThat(permits.take("mail", 5, 3, LEASE)).hasSize(1).doesNotContainAnyElementsOf(mine);
    }

    @Test
    void thoseOfADeadWorkerComeBackWhenTheirLeaseEnds() {
        permits.take("mail", 3, 3, LEASE);

        clock.advance(LEASE.minusMillis(1));
        assertThat(permits.take("mail", 1, 3, LEASE)).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(permits.take("mail", 5, 3, LEASE)).hasSize(3);
    }

    @Test
    void oneThatIsKeptStays() {
        List<String> mine = permits.take("mail", 2, 2, LEASE);
        clock.advance(LEASE.dividedBy(2));
        permits.keep("mail", mine.subList(0, 1), LEASE);
        clock.advance(LEASE.dividedBy(2));

        assertThat(permits.take("mail", 5, 2, LEASE)).hasSize(1);
    }

    @Test
    void whatRedisLostCountsAgainWithTheNextHeartbeat() {
        List<String> mine = permits.take("mail", 2, 2, LEASE);
        target.flushAll();
        partitions.all().forEach(partition -> ReadyPartition.open(redis, partition, 1));

        permits.keep("mail", mine, LEASE);

        assertThat(permits.take("mail", 1, 2, LEASE)).isEmpty();
    }

    @Test
    void aLowerLimitLetsThoseThatRunEnd() {
        List<String> mine = permits.take("mail", 3, 3, LEASE);

        assertThat(permits.take("mail", 1, 1, LEASE)).isEmpty();
        permits.give("mail", mine);
        assertThat(permits.take("mail", 2, 1, LEASE)).hasSize(1);
    }

    @Test
    void aShortLeaseBesideALongOneTakesNothingOfItsLife() {
        permits.take("mail", 1, 3, Duration.ofHours(24));
        List<String> mine = permits.take("mail", 1, 3, LEASE);
        permits.keep("mail", mine, LEASE);

        String key = "dev:hotstate:"
                + JobKeys.PERMITS.of(partitions.of("mail"), "mail").name();
        assertThat(target.commands().pttl(key))
                .isGreaterThan(Duration.ofHours(23).toMillis());
    }

    @Test
    void manyAtOnceNeverPassTheLimit() throws Exception {
        List<Callable<List<String>>> takers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            takers.add(() -> permits.take("mail", 2, 7, LEASE));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<String> taken = new ArrayList<>();
            for (var each : threads.invokeAll(takers)) {
                taken.addAll(each.get());
            }
            assertThat(taken).hasSize(7).doesNotHaveDuplicates();
        }
    }

    @Test
    void nobodyTakesKeepsOrGivesWhileThePartitionIsRebuilt() {
        RedisPermits late = new RedisPermits(redis, Passes.always(new Pass.Ready(2)), partitions);

        assertThatThrownBy(() -> late.take("mail", 1, 1, LEASE)).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> late.keep("mail", List.of("a"), LEASE)).isInstanceOf(RebuildingException.class);
        assertThatThrownBy(() -> late.give("mail", List.of("a"))).isInstanceOf(RebuildingException.class);
    }
}
