package dev.hotstate.jobs;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class AdvanceOnStandaloneIT extends AdvanceContract {
    AdvanceOnStandaloneIT(RedisServer redis) {
        super(redis);
    }
}
