package dev.hotstate.core;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class AgendaOnStandaloneIT extends AgendaContract {
    AgendaOnStandaloneIT(RedisServer redis) {
        super(redis);
    }
}
