package dev.hotstate.drivers;

import static dev.hotstate.drivers.RegionBench.busy;
import static dev.hotstate.drivers.RegionBench.fix;
import static dev.hotstate.drivers.RegionBench.free;
import static dev.hotstate.drivers.RegionBench.tagged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.RedisRefusedException;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SlotMigration;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class TruthOnClusterIT extends TruthContract {
    private final RedisCluster cluster;

    TruthOnClusterIT(RedisCluster redis) {
        super(redis);
        this.cluster = redis;
    }

    @Test
    void whileTheSetOfATagIsOnItsWayToAnotherNodeNothingIsHalfDone() {
        try (RegionBench bench = new RegionBench(cluster)) {
            bench.update(fix("d1"));
            bench.settle(tagged(free("d1", 1), "van"));
            bench.update(fix("held"));
            bench.settle(bench.reserved("held", 1));
            bench.update(fix("left"));
            bench.fixes.leave(bench.region, fix("left"), "mys");
            SlotMigration migration = beginMigration(bench);
            migration.moveKeys(bench.key("tagged:van"));

            assertThatThrownBy(() -> bench.settle(tagged(busy("d1", 2), "van")))
                    .isInstanceOf(RedisRefusedException.class);

            assertThat(bench.line("d1").state()).isEqualTo('A');
            assertThat(bench.found()).containsExactly("d1");
            assertThat(bench.look.counts(bench.region).counts()).isEqualTo(new Summary.Counts(2, 0, 0, 1));
            migration.finish();
            assertThat(bench.settle(tagged(busy("d1", 2), "van"))).isEqualTo(new Settled.Now(Status.BUSY, false));
            assertThat(bench.foundBy("van")).isEmpty();
        }
    }

    private SlotMigration beginMigration(RegionBench bench) {
        int slot = RedisCluster.slotOf(bench.region.tag());
        RedisServer owner = cluster.masterOf(slot);
        RedisServer other = cluster.masters().stream()
                .filter(master -> master != owner)
                .findFirst()
                .orElseThrow();
        return cluster.beginMigration(slot, other);
    }
}
