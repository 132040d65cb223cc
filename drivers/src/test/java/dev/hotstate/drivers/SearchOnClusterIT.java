package dev.hotstate.drivers;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class SearchOnClusterIT extends SearchContract {
    SearchOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
