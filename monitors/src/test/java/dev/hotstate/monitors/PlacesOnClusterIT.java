package dev.hotstate.monitors;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class PlacesOnClusterIT extends PlacesContract {
    PlacesOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
