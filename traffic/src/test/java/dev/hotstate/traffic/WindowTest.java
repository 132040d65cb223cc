package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A window is made of slots that are still there. */
class WindowTest {
    private static final long NOW = TestFleet.START.toEpochMilli();

    @ParameterizedTest
    @EnumSource
    void itIsReadAsItIsWritten(Window window) {
        assertThat(Window.parse(window.toString())).isEqualTo(window);
    }

    @Test
    void anyOtherIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Window.parse("2m"))
                .withMessage("window must be 1m, 15m, 1h or 24h, not \"2m\"");
    }

    @ParameterizedTest
    @EnumSource
    void itsOldestSlotIsKeptUntilTheWindowHasPassed(Window window) {
        Level level = window.level();
        List<Long> starts = window.starts(NOW);
        long oldestEnd = starts.getFirst() + level.widthMs();

        // Written for the last time just before its end, it must be there for as long as it is asked for.
        assertThat(level.keptMs()).isGreaterThan(level.start(NOW) + level.widthMs() - oldestEnd);
        assertThat(starts).contains(level.start(NOW)).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void aMinuteIsSixWholeSlotsAndTheOneThatRuns() {
        List<Long> starts = Window.MINUTE.starts(NOW);

        assertThat(starts).hasSize(8).first().isEqualTo(Level.TEN_SECONDS.start(NOW) - 60_000);
        assertThat(starts.getLast())
                .isEqualTo(Level.TEN_SECONDS.start(NOW) + Duration.ofSeconds(10).toMillis());
    }
}
