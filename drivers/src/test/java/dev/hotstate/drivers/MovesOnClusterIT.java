package dev.hotstate.drivers;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class MovesOnClusterIT extends MovesContract {
    MovesOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
