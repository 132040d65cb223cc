package dev.hotstate.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class RedisAssertIT extends RedisAssertContract {
    RedisAssertIT(RedisServer redis) {
        super(redis);
    }
}
