package dev.hotstate.testkit;

import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class StandaloneTargetIT extends RedisTargetContract {
    StandaloneTargetIT(RedisServer redis) {
        super(redis);
    }
}
