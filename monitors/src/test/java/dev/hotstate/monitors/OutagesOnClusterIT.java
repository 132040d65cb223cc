package dev.hotstate.monitors;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class OutagesOnClusterIT extends OutagesContract {
    OutagesOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
