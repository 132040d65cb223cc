package dev.hotstate.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class RedisAssertOnClusterIT extends RedisAssertContract {
    RedisAssertOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
