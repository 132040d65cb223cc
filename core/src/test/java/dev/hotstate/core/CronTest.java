package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
    // In Berlin the clocks go from 02:00 to 03:00 on the one day, and from 03:00 back to 02:00 on the other.
    private static final String SPRING = "2026-03-29";
    private static final String AUTUMN = "2026-10-25";

    @Test
    void theNextTimeIsAfterTheGivenOneAndNeverAtIt() {
        var daily = Cron.of("30 2 * * *", "UTC");

        assertThat(daily.next(Instant.parse("2026-01-01T02:29:59.999Z")))
                .contains(Instant.parse("2026-01-01T02:30:00Z"));
        assertThat(daily.next(Instant.parse("2026-01-01T02:30:00Z"))).contains(Instant.parse("2026-01-02T02:30:00Z"));
    }

    @Test
    void aTimeOfDayFollowsTheClocksOfItsZone() {
        assertThat(times("0 9 * * *", SPRING + "T00:00:00Z", 1)).containsExactly(SPRING + "T07:00:00Z");
        assertThat(times("0 9 * * *", AUTUMN + "T00:00:00Z", 1)).containsExactly(AUTUMN + "T08:00:00Z");
    }

    @Test
    void aTimeOfDayThatTheClocksSkipIsMadeUpForAtTheChange() {
        assertThat(times("30 2 * * *", SPRING + "T00:00:00Z", 2))
                .containsExactly(SPRING + "T01:00:00Z", "2026-03-30T00:30:00Z");
    }

    @Test
    void severalTimesThatTheClocksSkipAreMadeUpForOnce() {
        assertThat(times("0,20,40 2,3 * * *", SPRING + "T00:00:00Z", 3))
                .containsExactly(SPRING + "T01:00:00Z", SPRING + "T01:20:00Z", SPRING + "T01:40:00Z");
    }

    @Test
    void aTimeOfDayThatTheClocksRepeatComesOnce() {
        assertThat(times("30 2 * * *", AUTUMN + "T00:00:00Z", 2))
                .containsExactly(AUTUMN + "T00:30:00Z", "2026-10-26T01:30:00Z");
        assertThat(times("30 2 * * *", AUTUMN + "T01:10:00Z", 1)).containsExactly("2026-10-26T01:30:00Z");
    }

    @Test
    void whatComesByTheMinuteGoesOnThroughBothChanges() {
        assertThat(times("*/30 * * * *", SPRING + "T00:15:00Z", 3))
                .containsExactly(SPRING + "T00:30:00Z", SPRING + "T01:00:00Z", SPRING + "T01:30:00Z");
        assertThat(times("*/30 * * * *", AUTUMN + "T00:15:00Z", 4))
                .containsExactly(
                        AUTUMN + "T00:30:00Z", AUTUMN + "T01:00:00Z", AUTUMN + "T01:30:00Z", AUTUMN + "T02:00:00Z");
    }

    @Test
    void aLeapDayIsFoundYearsAhead() {
        assertThat(Cron.of("0 0 29 2 *", "UTC").next(Instant.parse("2096-03-01T00:00:00Z")))
                .contains(Instant.parse("2104-02-29T00:00:00Z"));
    }

    @Test
    void itIsTheSameAsAnotherOfTheSameFieldsAndZone() {
        assertThat(Cron.of(" 0  2 * * * ", "UTC")).isEqualTo(Cron.of("0 2 * * *", "UTC"));
        assertThat(Cron.of("0 2 * * *", "UTC")).isNotEqualTo(Cron.of("0 2 * * *", "Europe/Berlin"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "0 0 2 * * *",
                "61 * * * *",
                "* 25 * * *",
                "a b c d e",
                "*/0 * * * *",
                "5-1 * * * *",
                "@daily",
                "0 0 30 2 *",
                "0 0 31 4,6 *",
                "-1 * * * *",
                "9999999999999 * * * *",
                "1,,2 * * * *",
                "* * * * 1#9"
            })
    void whatIsNoTimeThatComesIsRefusedByName(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cron.of(expression, "UTC"))
                .withMessageStartingWith("cron ");
    }

    @Test
    void anUnknownZoneIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cron.of("* * * * *", "Mars/Olympus"))
                .withMessage("time_zone must be the name of one, such as \"UTC\" or \"Europe/Berlin\","
                        + " not \"Mars/Olympus\"");
    }

    private static List<String> times(String expression, String after, int count) {
        var cron = Cron.of(expression, "Europe/Berlin");
        var times = new ArrayList<String>();
        var last = Instant.parse(after);
        while (times.size() < count) {
            last = cron.next(last).orElseThrow();
            times.add(last.toString());
        }
        return times;
    }
}
