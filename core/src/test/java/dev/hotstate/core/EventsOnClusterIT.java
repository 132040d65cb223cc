package dev.hotstate.core;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class EventsOnClusterIT extends EventsContract {
    EventsOnClusterIT(RedisCluster redis) {
        super(redis);
    }
}
