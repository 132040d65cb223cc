package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class PermitsOnStandaloneIT extends PermitsContract {
    private final RedisServer server;

    PermitsOnStandaloneIT(RedisServer redis) {
        super(redis);
        this.server = redis;
    }

    @Test
    void thoseOfWhomNobodyWasToldThatTheyWereTakenAreGivenBack() {
        take("mail", 1, 1);
        server.pause();
        try {
            assertThatThrownBy(() -> take("slow", 3, 3)).isInstanceOf(RedisUnavailableException.class);
        } finally {
            server.resume();
        }

        Eventually.until("they are free again", () -> areFree("slow", 3));
    }

    private boolean areFree(String queue, int limit) {
        try {
            return take(queue, limit, limit).size() == limit;
        } catch (RedisUnavailableException notYet) {
            return false;
        }
    }
}
