package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    private static final long CENTURY_MS = 36_500L * 86_400_000;

    @Property
    void whatIsPrintedIsReadBackAsTheSame(@ForAll @LongRange(min = 0, max = CENTURY_MS) long ms) {
        assertThat(Durations.parse(Durations.print(Duration.ofMillis(ms)))).isEqualTo(Duration.ofMillis(ms));
    }

    @Property
    void wholeUnitsArePrintedInTheLargestButForOneDay(@ForAll @LongRange(min = 2, max = 36_500) long days) {
        assertThat(Durations.print(Duration.ofMinutes(1))).isEqualTo("60s");
        assertThat(Durations.print(Duration.ofMinutes(2))).isEqualTo("2m");
        assertThat(Durations.print(Duration.ofDays(1))).isEqualTo("24h");
        assertThat(Durations.print(Duration.ofDays(days))).isEqualTo(days + "d");
        assertThat(Durations.print(Duration.ofDays(days).plusHours(1))).isEqualTo(days * 24 + 1 + "h");
    }

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "30s, PT30S", "' 5m ', PT5M", "24H, P1D", "7d, P7D", "0s, PT0S", "36500d, P36500D"})
    void durationsAreReadAsPeopleWriteThem(String text, Duration meant) {
        assertThat(Durations.parse(text)).isEqualTo(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "5 s", "1.5h", "5w", "1h30m", "PT5S", "٥s", "99999999999999s"})
    void whatIsNoDurationIsNamed(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessageContaining("\"" + text + "\"");
    }

    @Test
    void moreThanACenturyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse("999999999999d"))
                .withMessage("\"999999999999d\" is longer than 36500d");
    }
}
