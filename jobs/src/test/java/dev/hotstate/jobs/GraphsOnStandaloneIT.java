package dev.hotstate.jobs;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class GraphsOnStandaloneIT extends GraphsContract {
    GraphsOnStandaloneIT(RedisServer redis) {
        super(redis);
    }
}
