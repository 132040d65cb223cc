package dev.hotstate.monitors;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class OutcomesOnClusterIT extends OutcomesContract {
    OutcomesOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
