package dev.hotstate.jobs;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class PermitsOnClusterIT extends PermitsContract {
    PermitsOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
