package dev.hotstate.drivers;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class SearchOnStandaloneIT extends SearchContract {
    SearchOnStandaloneIT(RedisServer redis) {
        super(redis);
    }
}
