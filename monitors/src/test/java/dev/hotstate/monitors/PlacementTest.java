package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Due;
import dev.hotstate.monitors.Monitor.Rhythm;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    @Test
    void whatSomebodyHasJustMadeIsCheckedAtOnce() {
        assertThat(Placement.firstRun(every(Duration.ofMinutes(1), "web"), 1, NOON))
                .isEqualTo(Due.now());
    }

    @Test
    void thousandsAreFirstCheckedInTheTurnsThatTheyHaveFromThenOn() {
        for (int i = 0; i < 100; i++) {
            Monitor monitor = every(Duration.ofMinutes(1), "web-" + i);

            assertThat(Placement.firstRun(monitor, 10_000, NOON)).isEqualTo(Due.at(monitor.turnAfter(NOON)));
        }
    }

    @Test
    void thousandsThatAreSeldomCheckedAreSpreadOverAMinute() {
        Set<Due> dues = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            Due due = Placement.firstRun(every(Duration.ofHours(6), "web-" + i), 10_000, NOON);
            dues.add(due);
            assertThat(Long.parseLong(due.toString().substring(1))).isBetween(0L, 59_999L);
        }
        assertThat(dues).hasSizeGreaterThan(900);
    }

    @Test
    void aTurnIsAfterNowAndWithinTheInterval() {
        for (int i = 0; i < 100; i++) {
            Monitor monitor = every(Duration.ofSeconds(7), "web-" + i);
            Instant turn = monitor.turnAfter(NOON);

            assertThat(Duration.between(NOON, turn)).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(7));
            assertThat(monitor.turnAfter(turn)).isEqualTo(turn.plusSeconds(7));
        }
    }

    private static Monitor every(Duration interval, String id) {
        return Bench.monitor(id, new Rhythm(interval, 0, Duration.ofSeconds(1), 1, 1));
    }
}
