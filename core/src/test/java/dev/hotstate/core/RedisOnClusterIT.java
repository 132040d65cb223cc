package dev.hotstate.core;

import static dev.hotstate.core.Sample.ADD;
import static dev.hotstate.core.Sample.counter;
import static dev.hotstate.core.Sample.nameOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SlotMigration;
import dev.hotstate.testkit.Testkit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class RedisOnClusterIT extends RedisContract {
    private final RedisCluster cluster;

    RedisOnClusterIT(RedisCluster cluster) {
        super(cluster);
        this.cluster = cluster;
    }

    @Test
    void aScriptOnASlotOfWhichHalfHasMovedIsTriedAgainUntilItIsWhole() {
        List<Key> keys = List.of(counter("moving", "a"), counter("moving", "b"));
        ADD.run(redis, keys, List.of("1"));
        SlotMigration migration = beginMoving("moving");
        migration.moveKeys(nameOf(keys.get(0)));

        CompletableFuture<List<Long>> answer = CompletableFuture.supplyAsync(() -> ADD.run(redis, keys, List.of("1")));
        Eventually.until("the call was repeated", () -> repeats() > 0);
        migration.finish();

        assertThat(answer.join()).containsExactly(2L, 2L);
        assertThat(redis.usage().allClosed()).isTrue();
    }

    @Test
    void aCallFollowsAKeyThatHasMovedAheadOfItsSlotAndTheSlotAfterwards() {
        Key key = counter("ahead", "a");
        Sample.set(redis, key, "1");
        SlotMigration migration = beginMoving("ahead");
        migration.moveKeys(nameOf(key));

        assertThat(Sample.increment(redis, key)).isEqualTo(2);
        migration.finish();
        assertThat(Sample.increment(redis, key)).isEqualTo(3);
        assertThat(repeats()).isZero();
    }

    @Test
    void aCallOnALineFollowsItsSlotToo() {
        List<Key> keys = List.of(counter("leaving", "a"), counter("leaving", "b"));
        ADD.runDirectly(redis, keys, List.of("1"));
        Eventually.until("there is a line", () -> redis.usage().lines() > 0);
        SlotMigration migration = beginMoving("leaving");
        migration.moveKeys(nameOf(keys.get(0)), nameOf(keys.get(1)));

        assertThat(ADD.runDirectly(redis, keys, List.of("1"))).containsExactly(2L, 2L);
        migration.finish();
        assertThat(ADD.runDirectly(redis, keys, List.of("1"))).containsExactly(3L, 3L);
        assertThat(repeats()).isZero();
        assertThat(redis.usage().allClosed()).isTrue();
    }

    private SlotMigration beginMoving(String partition) {
        int slot = RedisCluster.slotOf(partition);
        RedisServer owner = cluster.masterOf(slot);
        RedisServer other = cluster.masters().stream()
                .filter(master -> master != owner)
                .findFirst()
                .orElseThrow();
        return cluster.beginMigration(slot, other);
    }

    private double repeats() {
        return meters.counter("hotstate.redis.repeats").count();
    }
}
