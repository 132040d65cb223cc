package dev.hotstate.core;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class RedisIT extends RedisContract {
    RedisIT(RedisServer server) {
        super(server);
    }
}
