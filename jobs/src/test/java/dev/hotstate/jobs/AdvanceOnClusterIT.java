package dev.hotstate.jobs;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class AdvanceOnClusterIT extends AdvanceContract {
    AdvanceOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
