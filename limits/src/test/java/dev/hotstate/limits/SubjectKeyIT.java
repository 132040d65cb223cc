package dev.hotstate.limits;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class SubjectKeyIT extends SubjectKeyContract {
    SubjectKeyIT(RedisServer redis) {
        super(redis);
    }
}
