package dev.hotstate.monitors.history;

import static dev.hotstate.monitors.history.TestHistory.STANDS;
import static dev.hotstate.monitors.history.TestHistory.down;
import static dev.hotstate.monitors.history.TestHistory.up;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class HistoryIT {
    private static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

    private TestHistory test;
    private History history;

    @BeforeEach
    void open(PostgresServer postgres) {
        test = new TestHistory(postgres, NOON);
        history = test.history;
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void theLatestResultIsReadBackAsItWas() {
        Result first = up("web-1", NOON);
        Result last = new Result(
                "web-1", NOON.plusMillis(60_001), STANDS, false, true, true, 10_000, 503, "say \u0000 \"no\"\n\uD800");
        Result other = new Result("web-2", NOON, ofHours(25), true, false, false, 3, null, null);
        test.flush(last, first, other);

        assertThat(history.latest(List.of("web-1", "web-2", "web-3", "web-1")))
                .hasSize(2)
                .containsEntry("web-2", other)
                .hasEntrySatisfying(
                        "web-1",
                        read -> assertThat(read)
                                .usingRecursiveComparison()
                                .ignoringFields("error")
                                .isEqualTo(last))
                .hasEntrySatisfying("web-1", read -> assertThat(read.error()).isEqualTo("say \uFFFD \"no\"\n\uFFFD"));
    }

    @Test
    void quickRetriesOfADownMonitorDoNotWeighMore() {
        // An hour with a result a minute, the second half of it down and looked at three times a minute.
        test.upEachMinute("web-1", NOON, NOON.plus(ofMinutes(30)));
        for (int minute = 30; minute < 60; minute++) {
            Instant at = NOON.plus(ofMinutes(minute));
            test.flush(down("web-1", at), down("web-1", at.plusSeconds(5)), down("web-1", at.plusSeconds(10)));
        }
        test.clock.set(NOON.plus(ofHours(1)));

        assertThat(history.uptime("web-1").get("24h")).isCloseTo(50, within(1e-9));
        assertThat(history.uptime("web-1")).containsOnlyKeys("24h", "7d", "30d", "90d");
    }

    @Test
    void aFailedCheckBelowTheThresholdIsNoDowntime() {
        test.flush(new Result("web-1", NOON, STANDS, false, false, false, 10_000, null, "timed out"));
        test.clock.set(NOON.plus(ofMinutes(1)));

        assertThat(history.uptime("web-1")).containsEntry("24h", 100.0);
    }

    @Test
    void maintenanceIsLeftOut() {
        test.flush(
                up("web-1", NOON),
                new Result("web-1", NOON.plus(ofMinutes(1)), STANDS, false, true, true, 5, 503, "down for works"),
                down("web-1", NOON.plus(ofMinutes(2))));
        test.clock.set(NOON.plus(ofMinutes(3)));

        assertThat(history.uptime("web-1").get("24h")).isCloseTo(50, within(1e-9));
    }

    @Test
    void ofAMonitorWithoutResultsNothingIsKnown() {
        assertThat(history.uptime("web-1")).containsEntry("24h", null).containsEntry("90d", null);
        assertThat(history.days(List.of("web-1"), 2)).noneMatch(Day::isKnown);
        assertThat(history.series("web-1", NOON.minus(ofHours(1)), NOON, ofHours(1))
                        .points())
                .containsExactly(new Series.Point(NOON.minus(ofHours(1)), 0, 0, null, null, null, null, null));
    }

    @Test
    void manyMonitorsAreAskedAboutAtOnce() {
        test.flush(up("web-1", NOON), down("web-2", NOON));
        test.clock.set(NOON.plus(ofMinutes(1)));

        assertThat(history.uptimes(List.of("web-1", "web-2", "web-3")))
                .hasSize(3)
                .containsEntry("web-1", history.uptime("web-1"))
                .containsEntry("web-2", history.uptime("web-2"))
                .hasEntrySatisfying("web-3", nothing -> assertThat(nothing).containsEntry("24h", null));
        assertThat(history.uptime("web-1")).containsEntry("24h", 100.0);
        assertThat(history.uptime("web-2")).containsEntry("24h", 0.0);
    }

    @Test
    void aResultThatIsWrittenTwiceCountsOnce() {
        test.flush(up("web-1", NOON), up("web-1", NOON));
        test.flush(up("web-1", NOON));
        test.clock.set(NOON.plus(ofMinutes(1)));

        assertThat(test.count("monitors_results")).isEqualTo(1);
        assertThat(history.series("web-1", NOON, NOON.plus(ofMinutes(1)), ofMinutes(1))
                        .points())
                .singleElement()
                .returns(1L, Series.Point::checks);
    }

    @Test
    void aSeriesTellsChecksUptimeAndLatency() {
        for (int second = 0; second < 60; second += 10) {
            history.add(new Result(
                    "web-1", NOON.plusSeconds(second), ofMinutes(1), true, false, false, 10 + second, 200, null));
        }
        test.flush(down("web-1", NOON.plusSeconds(60)));
        test.clock.set(NOON.plusSeconds(90));

        Series series = history.series("web-1", NOON, NOON.plusSeconds(120), ofMinutes(1));

        assertThat(series.step()).isEqualTo(ofMinutes(1));
        assertThat(series.points())
                .containsExactly(
                        new Series.Point(NOON, 6, 6, 100.0, 35.0, 30.0, 60.0, 60.0),
                        new Series.Point(NOON.plusSeconds(60), 1, 0, 0.0, null, null, null, null));
        assertThat(history.series("web-1", NOON, NOON.plusSeconds(60), Duration.ofSeconds(10))
                        .points())
                .extracting(Series.Point::p50Ms)
                .containsExactly(10.0, 20.0, 30.0, 40.0, 50.0, 60.0);
    }

    @Test
    void aDayTellsItsDowntimeInBegunMinutes() {
        test.flush(up("web-1", NOON), down("web-1", NOON.plusSeconds(60)), up("web-1", NOON.plusSeconds(121)));
        test.clock.set(NOON.plusSeconds(181));

        List<Day> days = history.days(List.of("web-2", "web-1"), 2);

        assertThat(days).extracting(Day::monitor).containsExactly("web-2", "web-2", "web-1", "web-1");
        assertThat(days.getLast().date()).isEqualTo(LocalDate.of(2026, 3, 10));
        assertThat(days.getLast().uptime()).isCloseTo(100.0 * 120 / 181, within(1e-9));
        assertThat(days.getLast().downMinutes()).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history.days(List.of("web-1"), 732))
                .withMessage("days must be from 1 to 731, not 732");
    }

    @Test
    void whatIsForgottenDoesNotComeBackToAMonitorOfTheSameName() {
        test.flush(down("web-1", NOON), up("web-2", NOON));
        history.forget(List.of("web-1"));
        assertThat(history.latest(List.of("web-1", "web-2"))).containsOnlyKeys("web-2");

        test.flush(up("web-1", NOON.plusSeconds(60)));
        test.clock.set(NOON.plusSeconds(120));

        assertThat(history.uptime("web-1")).containsEntry("24h", 100.0);
    }

    @Test
    void resultsOfTimesWithoutAPlaceAreDroppedAndCountedAndHoldNobodyUp() {
        test.flush(up("web-1", NOON.minus(ofDays(3))), up("web-1", NOON.plus(ofDays(9))), up("web-1", NOON));

        assertThat(test.dropped("misplaced")).isEqualTo(2);
        assertThat(test.count("monitors_results")).isEqualTo(1);
    }

    @Test
    void aResultThatPostgresRefusesHoldsNobodyUp() {
        test.flush(up("web-1", NOON), up("web\u0000", NOON), up("web-2", NOON), up("web-3", NOON));

        assertThat(test.dropped("refused")).isEqualTo(1);
        assertThat(history.latest(List.of("web-1", "web-2", "web-3"))).hasSize(3);
    }

    @Test
    void resultsAreWrittenByThemselves() {
        try (History live = History.start(test.database, HistoryOptions.DEFAULTS, test.meters, test.clock)) {
            live.add(up("web-1", NOON));

            Eventually.until(
                    "it is written", () -> !history.latest(List.of("web-1")).isEmpty());
        }
    }

    @Test
    void aFullBatchIsWrittenBeforeItsTime() {
        HistoryOptions options = TestHistory.WHEN_TOLD.withBuffer(100, 10);
        try (History live = History.start(test.database, options, test.meters, test.clock)) {
            for (int i = 0; i < 10; i++) {
                live.add(up("web-" + i, NOON));
            }

            Eventually.until("they are written", () -> test.count("monitors_results") == 10);
        }
    }

    @Test
    void closingWritesWhatIsBuffered() {
        History leaving = test.another();
        leaving.add(up("web-1", NOON));
        leaving.close();

        assertThat(history.latest(List.of("web-1"))).hasSize(1);
    }
}
