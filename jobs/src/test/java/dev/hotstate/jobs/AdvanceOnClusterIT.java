package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SlotMigration;
import dev.hotstate.testkit.Testkit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class AdvanceOnClusterIT extends AdvanceContract {
    private final RedisCluster cluster;

    AdvanceOnClusterIT(RedisCluster redis) {
        super(redis);
        this.cluster = redis;
    }

    @Test
    void anEndingCountsOnceWhileTheSlotOfItsJobMoves() {
        try (RedisBench bench = new RedisBench(cluster)) {
            Flow flow = new Flow("moving").task("a").task("b", "a").task("c", "b");
            bench.load(flow);
            Claimed a = bench.claimOne();
            int slot = RedisCluster.slotOf(bench.partition.tag());
            RedisServer owner = cluster.masterOf(slot);
            RedisServer other = cluster.masters().stream()
                    .filter(master -> master != owner)
                    .findFirst()
                    .orElseThrow();
            SlotMigration migration = cluster.beginMigration(slot, other);
            migration.moveKeys("dev:hotstate:" + bench.partition + ":task:moving:b");

            CompletableFuture<Ended> ended = CompletableFuture.supplyAsync(() -> bench.succeed(a));
            migration.finish();

            assertThat(ended.join()).isEqualTo(Ended.DONE);
            bench.succeed(bench.claimOne());
            bench.succeed(bench.claimOne());
            assertThat(bench.job("moving").status()).isEqualTo(JobStatus.SUCCEEDED);
            for (String task : List.of("a", "b", "c")) {
                assertThat(bench.archivedStates("moving", task)).containsExactly("SUCCEEDED");
            }
        }
    }
}
