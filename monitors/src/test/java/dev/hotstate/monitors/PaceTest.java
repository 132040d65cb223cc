package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PaceTest {
    @Property
    void aPercentileIsNeverTooLowAndTooHighByLessThanAFifth(@ForAll @LongRange(min = 1, max = 3_600_000) long lagMs) {
        Pace pace =
                Pace.of(List.of(Map.of("lag:" + Pace.bucket(Duration.ofMillis(lagMs)), "1")), Duration.ofMinutes(1));

        assertThat(pace.lagP99Ms()).isGreaterThanOrEqualTo(lagMs).isLessThan(lagMs * 1.2);
    }

    @Test
    void slotsAreAddedUp() {
        Map<String, String> lags = new HashMap<>();
        LongStream.rangeClosed(1, 100)
                .forEach(ms -> lags.merge(
                        "lag:" + Pace.bucket(Duration.ofMillis(ms)),
                        "1",
                        (a, b) -> Long.toString(Long.parseLong(a) + 1)));
        lags.put("passed", "90");
        lags.put("failed", "10");

        Pace pace = Pace.of(List.of(lags, Map.of("passed", "20")), Duration.ofSeconds(60));

        assertThat(pace.checksPerSecond()).isEqualTo(2.0);
        assertThat(pace.failuresPerSecond()).isEqualTo(10 / 60.0);
        assertThat(pace.lagP50Ms()).isBetween(50.0, 60.0);
        assertThat(pace.lagP99Ms()).isBetween(99.0, 119.0);
    }

    @Test
    void withoutChecksThereIsNoLag() {
        assertThat(Pace.of(List.of(Map.of()), Duration.ofMinutes(1))).isEqualTo(new Pace(0, 0, 0, 0));
    }
}
