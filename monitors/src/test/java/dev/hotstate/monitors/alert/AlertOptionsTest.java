package dev.hotstate.monitors.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.hotstate.monitors.alert.AlertOptions.Pace;
import dev.hotstate.monitors.alert.AlertOptions.Retries;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class AlertOptionsTest {
    private static final Retries RETRIES = Retries.DEFAULTS;

    @Test
    void waitsDoubleFromASecondToFiveMinutes() {
        assertThat(wait(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(wait(2)).isEqualTo(Duration.ofSeconds(2));
        assertThat(wait(5)).isEqualTo(Duration.ofSeconds(16));
        assertThat(wait(10)).isEqualTo(Duration.ofMinutes(5));
        assertThat(wait(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(5));
    }

    @Property
    void aWaitIsNeverShorterThanHalfOfItselfNorLongerThanTheLongest(
            @ForAll @IntRange(min = 1, max = 100_000) int attempts,
            @ForAll @LongRange(min = 0, max = 1_000_000_000) long askedSeconds,
            @ForAll @DoubleRange(min = 0, max = 1) double chance) {
        Duration asked = Duration.ofSeconds(askedSeconds);
        Duration wait = RETRIES.wait(attempts, asked, chance);

        assertThat(wait).isGreaterThanOrEqualTo(wait(attempts).dividedBy(2)).isLessThanOrEqualTo(RETRIES.longest());
        assertThat(wait).isGreaterThanOrEqualTo(asked.compareTo(RETRIES.longest()) < 0 ? asked : RETRIES.longest());
    }

    @Test
    void theUsualAttemptsLastForTheWholeDay() {
        Duration all = Duration.ZERO;
        for (int attempt = 1; attempt < RETRIES.attempts(); attempt++) {
            all = all.plus(RETRIES.wait(attempt, Duration.ZERO, 0.5));
        }
        assertThat(all).isGreaterThan(RETRIES.giveUpAfter());
    }

    @Test
    void aLeaseThatIsNotLongerThanASendingIsRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pace(1, 1, second, second, second, second))
                .withMessageStartingWith("lease ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pace(2, 3, second, second.multipliedBy(2), second, second))
                .withMessageStartingWith("perChannel ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Retries(second, Duration.ofMillis(1), 1, second))
                .withMessageStartingWith("longest ");
    }

    private static Duration wait(int attempts) {
        return RETRIES.wait(attempts, Duration.ZERO, 0);
    }
}
