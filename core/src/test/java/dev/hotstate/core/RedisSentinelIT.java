package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisSentinel;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A master, its replica, and a Sentinel that promotes the replica when the master is gone. */
class RedisSentinelIT {
    @Test
    void callsReturnAfterTheSentinelHasPromotedTheReplica() {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port());
                RedisSentinel sentinel = RedisSentinel.over(master, Duration.ofSeconds(1))) {
            Eventually.until("the replica is in sync", () -> isInSync(replica));
            Key key = Sample.counter("p0", "a");
            try (Redis redis = Sample.connect(Sample.quick(sentinel.url("main")))) {
                assertThat(Sample.increment(redis, key)).isEqualTo(1);
                Eventually.until(
                        "it is replicated", () -> "1".equals(replica.commands().get(Sample.nameOf(key))));

                master.kill();

                Eventually.until("writes are answered again", () -> Sample.canIncrement(redis, key));
                assertThat(replica.info("replication")).containsEntry("role", "master");
                assertThat(replica.commands().get(Sample.nameOf(key))).isEqualTo("2");
                Eventually.until("the circuit is closed", () -> redis.usage().allClosed());
            }
        }
    }

    private static boolean isInSync(RedisServer replica) {
        return "up".equals(replica.info("replication").get("master_link_status"));
    }
}
