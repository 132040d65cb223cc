package dev.hotstate.core;

import dev.hotstate.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FollowerTest {

    @Test
    void anErrorDoesNotEndTheLooking() {
        AtomicInteger looks = new AtomicInteger();
        Runnable look = () -> {
            if (looks.incrementAndGet() == 1) {
                throw new OutOfMemoryError("as if there were too much of it");
            }
        };
        try (Follower follower = new Follower("things", Duration.ofMillis(1), look)) {
            follower.start();

            Eventually.until("it has looked again", () -> looks.get() > 1);
        }
    }
}
