package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many claimers at once, some of which die with what they hold: every errand is done, and none by two at a time. */
@ExtendWith(Testkit.class)
class AgendaCrowdIT {
    private static final int ERRANDS = 2_000;
    private static final int CLAIMERS = 24;
    private static final Duration LEASE = Duration.ofMillis(400);

    @Test
    void everyErrandIsDoneOnceOnStandalone(RedisServer redis) throws Exception {
        everyErrandIsDoneOnce(redis);
    }

    @Test
    void everyErrandIsDoneOnceOnCluster(RedisCluster redis) throws Exception {
        everyErrandIsDoneOnce(redis);
    }

    private void everyErrandIsDoneOnce(RedisTarget target) throws Exception {
        target.flushAll();
        List<Partition> partitions = Partition.spread("e", 3);
        RedisOptions patient = RedisOptions.of(target.uri()).withTimeout(Duration.ofSeconds(2), Duration.ofSeconds(10));
        try (Redis redis = Redis.connect(patient, ErrandKeys.KEYSPACE, TestMeters.REGISTRY)) {
            Passes passes = Passes.always(new Pass.Ready(1));
            partitions.forEach(partition -> ReadyPartition.open(redis, partition, 1));
            Agenda agenda = new Agenda(redis, passes, ErrandKeys.SCHEDULE, ErrandKeys.FENCES);
            fill(agenda, partitions);
            Crowd crowd = new Crowd(agenda, partitions);

            crowd.work();

            assertThat(crowd.done).hasSize(ERRANDS);
            assertThat(crowd.done.values()).allMatch(times -> times.get() == 1);
            assertThat(crowd.deaths.get()).as("claimers died on the way").isPositive();
            assertThat(crowd.refusedThoughHeld).isEmpty();
            for (Partition partition : partitions) {
                assertThat(agenda.depth(partition).entries()).isZero();
                assertThat(agenda.depth(partition).held()).isZero();
            }
        }
    }

    private static void fill(Agenda agenda, List<Partition> partitions) {
        for (int i = 0; i < ERRANDS; i += 100) {
            Map<String, Due> batch = new HashMap<>();
            for (int j = i; j < i + 100; j++) {
                batch.put("errand-" + j, Due.now());
            }
            agenda.put(partitions.get(i / 100 % partitions.size()), batch);
        }
    }

    /** Claimers that work until every errand is done, or for a minute. */
    private static final class Crowd {
        private final Agenda agenda;
        private final List<Partition> partitions;
        private final Map<String, AtomicInteger> done = new ConcurrentHashMap<>();
        private final List<Claim> refusedThoughHeld = java.util.Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger deaths = new AtomicInteger();
        private final long giveUp = System.nanoTime() + Duration.ofMinutes(1).toNanos();

        Crowd(Agenda agenda, List<Partition> partitions) {
            this.agenda = agenda;
            this.partitions = partitions;
        }

        void work() throws Exception {
            try (ExecutorService claimers = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < CLAIMERS; i++) {
                    Random random = new Random(i);
                    all.add(claimers.submit(() -> claimAndSettle(random)));
                }
                for (Future<?> each : all) {
                    each.get();
                }
            }
        }

        private void claimAndSettle(Random random) {
            while (done.size() < ERRANDS && System.nanoTime() < giveUp) {
                Partition partition = partitions.get(random.nextInt(partitions.size()));
                long claimedAt = System.nanoTime();
                List<Claim> claims =
                        agenda.claim(partition, 1 + random.nextInt(20), LEASE).claims();
                if (random.nextInt(10) == 0) {
                    deaths.addAndGet(claims.size());
                    continue;
                }
                List<Claim> stale = new ArrayList<>(claims.isEmpty() ? List.of() : agenda.done(claims));
                boolean surelyHeld = System.nanoTime() - claimedAt < LEASE.toNanos();
                if (surelyHeld) {
                    refusedThoughHeld.addAll(stale);
                }
                claims.stream()
                        .filter(claim -> !stale.contains(claim))
                        .forEach(claim -> done.computeIfAbsent(claim.id(), id -> new AtomicInteger())
                                .incrementAndGet());
            }
        }
    }
}
