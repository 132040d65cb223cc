package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PausesTest {
    private final Pauses pauses = new Pauses();

    @Test
    void aStreamThatEndsEachTimeIsAskedForEverLessOften() {
        assertThat(next("")).isZero();
        assertThat(next("")).isEqualTo(Duration.ofMillis(250));
        assertThat(next("")).isEqualTo(Duration.ofMillis(500));
        for (int i = 0; i < 10; i++) {
            next("");
        }
        assertThat(next("")).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aStreamThatBroughtSomethingIsAskedForSoonerAgain() {
        next("");
        next("");
        next("");
        assertThat(next("7")).isEqualTo(Duration.ofMillis(250));
        assertThat(next("7")).isEqualTo(Duration.ofMillis(500));
    }

    private Duration next(String last) {
        return pauses.next(Optional.of(last).filter(id -> !id.isEmpty()));
    }
}
