package dev.hotstate.monitors;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class PlacesOnStandaloneIT extends PlacesContract {
    PlacesOnStandaloneIT(RedisServer redis) {
        super(redis);
    }
}
