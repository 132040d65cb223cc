package dev.hotstate.jobs;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class GraphsOnClusterIT extends GraphsContract {
    GraphsOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
