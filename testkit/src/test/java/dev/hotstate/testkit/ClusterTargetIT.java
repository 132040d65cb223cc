package dev.hotstate.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class ClusterTargetIT extends RedisTargetContract {
    ClusterTargetIT(RedisCluster redis) {
        super(redis);
    }
}
