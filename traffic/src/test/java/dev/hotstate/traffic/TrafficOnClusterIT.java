package dev.hotstate.traffic;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class TrafficOnClusterIT extends TrafficContract {
    TrafficOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
