package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SettableClockTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final SettableClock clock = SettableClock.at(NOON);

    @Test
    void itStandsStillUntilMoved() {
        assertThat(clock.instant()).isEqualTo(NOON).isEqualTo(clock.instant());
    }

    @Test
    void itAdvancesByWhatItIsTold() {
        assertThat(clock.advance(Duration.ofSeconds(90))).isEqualTo(NOON.plusSeconds(90));
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(90));
    }

    @Test
    void itJumpsBackToo() {
        clock.set(NOON.minusSeconds(1));
        assertThat(clock.instant()).isEqualTo(NOON.minusSeconds(1));
    }

    @Test
    void noAdvanceIsLostBetweenThreads() {
        IntStream.range(0, 1_000).parallel().forEach(i -> clock.advance(Duration.ofMillis(1)));
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(1));
    }
}
