package dev.hotstate.traffic;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class TrafficIT extends TrafficContract {
    TrafficIT(RedisServer redis) {
        super(redis);
    }
}
