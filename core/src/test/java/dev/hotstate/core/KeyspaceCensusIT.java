package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class KeyspaceCensusIT extends KeyspaceCensusContract {
    KeyspaceCensusIT(RedisServer redis) {
        super(redis);
    }

    @Test
    void thereIsNoCensusOfARedisThatIsGone() {
        try (RedisServer own = RedisServer.start();
                Redis redis = connect(own)) {
            KeyspaceCensus census = new KeyspaceCensus(redis, CLOCK, Duration.ofSeconds(30));
            assertThat(census.take()).isPresent();

            own.kill();

            assertThat(census.take()).isEmpty();
        }
    }
}
