package dev.hotstate.monitors.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BufferTest {
    private final Buffer buffer = new Buffer(3);

    @Test
    void beyondItsCapacityTheOldestGoes() {
        assertThat(buffer.add(result(1))).isTrue();
        assertThat(buffer.add(result(2))).isTrue();
        assertThat(buffer.add(result(3))).isTrue();
        assertThat(buffer.add(result(4))).isFalse();

        assertThat(buffer.peek(10).results()).containsExactly(result(2), result(3), result(4));
    }

    @Test
    void whatWasPushedOutWhileItWasWrittenTakesNobodyWithIt() {
        buffer.add(result(1));
        buffer.add(result(2));
        Buffer.Taken taken = buffer.peek(2);
        buffer.add(result(3));
        buffer.add(result(4)); // pushes 1 out
        buffer.remove(taken);

        assertThat(buffer.peek(10).results()).containsExactly(result(3), result(4));
        assertThat(buffer.end()).isEqualTo(4);
    }

    private static Result result(int second) {
        return new Result(
                "web-1", Instant.ofEpochSecond(second), Duration.ofSeconds(75), true, false, false, 5, 200, null);
    }
}
