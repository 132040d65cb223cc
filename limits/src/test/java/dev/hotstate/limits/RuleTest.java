package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1_000_000_001})
    void aLimitOutOfBoundsIsRefusedByName(long limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rule.fixedWindow("r", limit, MINUTE))
                .withMessage("limit must be 1 to 1000000000, not " + limit);
    }

    @Test
    void aLogIsForSmallLimits() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rule.slidingLog("r", 10_001, MINUTE))
                .withMessage("limit must be 1 to 10000, not 10001");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0009S", "P367D"})
    void aWindowOutOfBoundsIsRefusedByName(String window) {
        Duration asked = Duration.parse(window);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rule.slidingWindow("r", 1, asked))
                .withMessage("window must be 1ms to 366 days, not " + asked);
    }

    @Test
    void aWindowIsOfWholeMicroseconds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rule.slidingWindow("r", 1, MINUTE.plusNanos(1)))
                .withMessageContaining("whole microseconds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "{a}", "a\nb", "ä"})
    void anIdIsOfPlainCharacters(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rule.fixedWindow(id, 1, MINUTE))
                .withMessageStartingWith("id must be 1 to 64 of A-Z a-z 0-9 . _ -, not ");
    }

    @Test
    void aBurstIsForABucketAndRefillsWithinAYear() {
        assertThat(Rule.tokenBucket("r", 1, Duration.ofDays(1), 366).capacity()).isEqualTo(366);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rule.tokenBucket("r", 1, Duration.ofDays(1), 367))
                .withMessageStartingWith("burst must refill within 366 days");
    }

    @Test
    void aSliceIsNoMoreThanTheLimitAndALeaseNoLongerThanTheWindow() {
        Rule rule = Rule.fixedWindow("r", 10, MINUTE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rule.leasing(11, MINUTE))
                .withMessage("slice must be 1 to 10, not 11");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rule.leasing(0, MINUTE))
                .withMessage("slice must be 1 to 10, not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rule.leasing(1, MINUTE.plusMillis(1)))
                .withMessage("lease must be 1ms to the window, not PT1M0.001S");
    }

    @Test
    void twoRulesDoNotShareAnId() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rules.of(Rule.fixedWindow("r", 1, MINUTE), Rule.slidingLog("r", 2, MINUTE)))
                .withMessageContaining("\"r\" twice");
    }
}
