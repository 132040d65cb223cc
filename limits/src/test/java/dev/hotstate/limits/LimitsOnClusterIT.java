package dev.hotstate.limits;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class LimitsOnClusterIT extends LimitsContract {
    LimitsOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
