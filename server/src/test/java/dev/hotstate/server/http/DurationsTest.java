package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S, 500ms",
        "30s, PT30S, 30s",
        "90s, PT1M30S, 90s",
        "60s, PT1M, 1m",
        "120m, PT2H, 2h",
        "7d, P7D, 7d",
        "0ms, PT0S, 0s",
        "1500ms, PT1.5S, 1500ms"
    })
    void aDurationIsReadAndWritten(String text, Duration duration, String written) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
        assertThat(Durations.text(duration)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "5 s", "1.5s", "5S", "5w", "9999999999s", "PT5S", "٣s"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
