package dev.hotstate.monitors;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class OutagesOnStandaloneIT extends OutagesContract {
    OutagesOnStandaloneIT(RedisServer redis) {
        super(redis);
    }
}
