package dev.hotstate.monitors.history;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final Instant NOW = Instant.parse("2026-03-10T12:34:56Z");

    @Test
    void stepsAreAsLongAsAskedWhileHistoryIsFineEnough() {
        assertThat(step(ofHours(1), ofSeconds(10))).isEqualTo(ofSeconds(10));
        assertThat(step(ofDays(5), ofMinutes(10))).isEqualTo(ofMinutes(10));
        assertThat(step(ofDays(30), ofHours(6))).isEqualTo(ofHours(6));
    }

    @Test
    void stepsAreWholePeriodsOfTheLevelThatStillHasThem() {
        assertThat(step(ofDays(3).plusHours(12), ofMinutes(5).plusSeconds(30))).isEqualTo(ofMinutes(6));
        assertThat(step(ofDays(20), ofMinutes(40))).isEqualTo(ofHours(1));
        assertThat(step(ofDays(200), ofHours(30))).isEqualTo(ofDays(2));
        assertThat(Instant.ofEpochMilli(grid(ofDays(200), ofHours(30)).from()))
                .isEqualTo(Instant.parse("2025-08-22T00:00:00Z"));
    }

    @Test
    void aDayIsSeenByTheMinute() {
        assertThat(step(ofDays(1), ofMinutes(1))).isEqualTo(ofMinutes(1));
        assertThat(grid(ofDays(1), ofMinutes(1)).cells()).isEqualTo(1_441);
    }

    @Test
    void tooManyStepsAreRefused() {
        assertThat(grid(ofMinutes(1499), ofMinutes(1)).cells()).isEqualTo(1_500);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid(ofMinutes(1502), ofMinutes(1)))
                .withMessage("step must be so long that there are at most 1500 steps; of 60s there are 1503");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid(ofHours(1), Duration.ofMillis(999)))
                .withMessage("step must be at least 1s, not 999ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid(ofHours(0), ofMinutes(1)))
                .withMessageStartingWith("to must be after from");
    }

    private static Duration step(Duration ago, Duration step) {
        Grid grid = grid(ago, step);
        return Duration.ofMillis(grid.to(0) - grid.from(0));
    }

    private static Grid grid(Duration ago, Duration step) {
        return Steps.grid(HistoryOptions.DEFAULTS, NOW.minus(ago), NOW, step, NOW.toEpochMilli());
    }
}
