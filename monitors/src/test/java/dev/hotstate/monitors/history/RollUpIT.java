package dev.hotstate.monitors.history;

import static dev.hotstate.monitors.history.TestHistory.down;
import static dev.hotstate.monitors.history.TestHistory.up;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class RollUpIT {
    /** The second but last hour of a day, a month and a year. */
    private static final Instant START = Instant.parse("2025-12-31T22:00:00Z");

    private static final List<String> MONITORS = List.of("web-1", "web-2", "web-3");

    private TestHistory test;
    private History history;

    @BeforeEach
    void open(PostgresServer postgres) {
        test = new TestHistory(postgres, START);
        history = test.history;
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void whatIsRolledUpIsTheSameAsItsResults() {
        List<Result> results = random(new Random(7), ofHours(5));
        results.forEach(history::add);
        history.flush();
        test.clock.set(START.plus(ofHours(5)));
        List<Object> before = everything();

        history.rollUp();

        assertThat(everything()).isEqualTo(before);
        assertThat(test.count("monitors_roll_ups")).isZero();
        assertThat(test.count("monitors_hours")).isEqualTo(4L * MONITORS.size());
        assertThat(test.count("monitors_days")).isEqualTo(MONITORS.size());
    }

    @Test
    void resultsThatComeLateCountAsIfTheyHadComeInTime() {
        List<Result> results = random(new Random(11), ofHours(5));
        List<Result> late = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            (i % 3 == 0 ? late : new ArrayList<Result>()).add(results.get(i));
        }
        results.stream().filter(result -> !late.contains(result)).forEach(history::add);
        history.flush();
        test.rollUpAt(START.plus(ofHours(5)));
        List<Object> without = everything();

        late.forEach(history::add);
        history.flush();
        List<Object> complete = everything();
        assertThat(complete).isNotEqualTo(without);

        history.rollUp();

        assertThat(everything()).isEqualTo(complete);
        assertThat(test.count("monitors_roll_ups")).isZero();
        assertThat(everything()).isEqualTo(inTime(results));
    }

    @Test
    void aLateResultOfTheLastMinuteCountsInTheNextHourToo() {
        test.flush(up("web-1", START.plus(ofMinutes(50))));
        test.rollUpAt(START.plus(ofHours(3)));

        test.flush(down("web-1", START.plus(ofMinutes(60)).minusSeconds(15)));
        history.rollUp();

        assertThat(history.series("web-1", START, START.plus(ofHours(2)), ofHours(1))
                        .points())
                .extracting(Series.Point::uptime)
                .satisfiesExactly(
                        first -> assertThat(first).isCloseTo(100.0 * 75 / 90, within(1e-9)),
                        second -> assertThat(second).isEqualTo(0.0));
    }

    @Test
    void anHourIsNotClosedWhileSomebodyWritesIntoIt() {
        test.upEachMinute("web-1", START, START.plus(ofHours(1)));
        test.clock.set(START.plus(ofHours(1)).plus(ofMinutes(5)));
        int hour = PostgresMarks.number(START.toEpochMilli());
        test.database.useTransaction(writer -> {
            PostgresLocks.shareHours(writer, List.of(hour));
            rollUpElsewhere();
            assertThat(test.count("monitors_hours")).isZero();
        });

        history.rollUp();

        assertThat(test.count("monitors_hours")).isEqualTo(1);
    }

    @Test
    void anHourIsRolledUpOnlyWhenItIsOver() {
        test.upEachMinute("web-1", START, START.plus(ofMinutes(90)));

        test.rollUpAt(START.plus(ofMinutes(61)));
        assertThat(test.count("monitors_hours")).isZero();
        test.rollUpAt(START.plus(ofMinutes(62)));
        assertThat(test.count("monitors_hours")).isEqualTo(1);
        history.rollUp();
        assertThat(test.count("monitors_hours")).isEqualTo(1);
    }

    @Test
    void instancesThatRollUpAtOnceDoItOnceAndWritersGoOn() throws Exception {
        List<Result> results = random(new Random(13), ofHours(6));
        List<Result> first = results.subList(0, results.size() / 2);
        first.forEach(history::add);
        history.flush();
        test.clock.set(START.plus(ofHours(6)));
        try (ExecutorService instances = Executors.newVirtualThreadPerTaskExecutor();
                History other = test.another()) {
            List<Future<?>> rounds = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                rounds.add(instances.submit(i % 2 == 0 ? history::rollUp : other::rollUp));
            }
            List<Result> second = new ArrayList<>(results.subList(results.size() / 2, results.size()));
            Collections.shuffle(second, new Random(17));
            for (int from = 0; from < second.size(); from += 50) {
                second.subList(from, Math.min(from + 50, second.size())).forEach(other::add);
                other.flush();
                rounds.add(instances.submit(history::rollUp));
                rounds.add(instances.submit(other::rollUp));
            }
            for (Future<?> round : rounds) {
                round.get();
            }
        }

        history.rollUp();

        assertThat(test.count("monitors_roll_ups")).isZero();
        assertThat(test.count("monitors_results")).isEqualTo(results.size());
        assertThat(everything()).isEqualTo(inTime(results));
    }

    @Test
    void whatACrashLeftIsDoneByTheNext() {
        test.upEachMinute("web-1", START, START.plus(ofHours(2)));
        test.clock.set(START.plus(ofHours(3)));
        List<Object> before = everything();
        // Closed and marked, and then the process was gone.
        test.database.useTransaction(handle -> PostgresMarks.close(handle, START.toEpochMilli()));
        assertThat(everything()).isEqualTo(before);

        history.rollUp();

        assertThat(everything()).isEqualTo(before);
        assertThat(test.count("monitors_roll_ups")).isZero();
    }

    @Test
    void partitionsAreThereBeforeADayAMonthAndAYearBegin() {
        assertThat(test.partitions("monitors_results"))
                .containsExactly(
                        "monitors_results_20251229",
                        "monitors_results_20251230",
                        "monitors_results_20251231",
                        "monitors_results_20260101",
                        "monitors_results_20260102");
        assertThat(test.partitions("monitors_hours"))
                .containsExactly("monitors_hours_20251201", "monitors_hours_20260101");
        assertThat(test.partitions("monitors_days"))
                .containsExactly("monitors_days_20250101", "monitors_days_20260101");

        test.upEachMinute("web-1", START, START.plus(ofHours(4)));
        test.rollUpAt(START.plus(ofHours(27)));

        assertThat(history.days(List.of("web-1"), 2))
                .extracting(Day::date, Day::isKnown)
                .containsExactly(tuple(LocalDate.of(2026, 1, 1), true), tuple(LocalDate.of(2026, 1, 2), false));
        assertThat(test.count("monitors_hours_20251201")).isEqualTo(2);
        assertThat(test.count("monitors_hours_20260101")).isEqualTo(3);
        assertThat(test.count("monitors_days_20250101")).isEqualTo(1);
        assertThat(test.count("monitors_days_20260101")).isEqualTo(1);
    }

    @Test
    void aWriterMakesTheDayThatNobodyElseMade() {
        Instant later = START.plus(ofDays(40));
        test.clock.set(later);

        test.flush(up("web-1", later));

        assertThat(history.latest(List.of("web-1"))).containsEntry("web-1", up("web-1", later));
    }

    @Test
    void aDayOfResultsIsNotDroppedBeforeItIsRolledUp() {
        test.upEachMinute("web-1", START, START.plus(ofHours(1)));
        test.clock.set(START.plus(ofDays(30)));
        history.retire();
        assertThat(test.count("monitors_results")).isEqualTo(60);

        history.rollUp();
        history.retire();

        assertThat(test.count("monitors_results")).isZero();
        assertThat(test.partitions("monitors_results")).first().isEqualTo("monitors_results_20260128");
        assertThat(history.days(List.of("web-1"), 32).getFirst())
                .returns(LocalDate.of(2025, 12, 30), Day::date)
                .returns(false, Day::isKnown);
        assertThat(history.days(List.of("web-1"), 31).getFirst()).returns(100.0, Day::uptime);
    }

    @Test
    void daysWithoutAnyResultAreDroppedToo() {
        test.clock.set(START.plus(ofDays(30)));

        history.rollUp();
        history.retire();

        assertThat(test.partitions("monitors_results")).hasSize(5);
        assertThat(test.partitions("monitors_minutes")).hasSize(5);
    }

    @Test
    void ninetyDaysOfResultsAreToldFromWhatIsKept() {
        // Every half hour, and each stands until the next.
        Instant end = START.plus(ofDays(92)).plus(ofMinutes(34)).plusSeconds(56);
        List<Instant> outages =
                List.of(end.minus(ofDays(60)), end.minus(ofDays(20)), end.minus(ofDays(3)), end.minus(ofHours(5)));
        for (Instant at = START; at.isBefore(end); at = at.plus(ofMinutes(30))) {
            Instant now = at;
            boolean down =
                    outages.stream().anyMatch(outage -> !now.isBefore(outage) && now.isBefore(outage.plus(ofHours(1))));
            history.add(new Result("web-1", at, ofMinutes(31), !down, down, false, 100, 200, null));
            if (at.plus(ofMinutes(30)).truncatedTo(ChronoUnit.DAYS).isAfter(at)) {
                test.clock.set(at.plus(ofMinutes(29)));
                history.flush();
                history.rollUp();
                history.retire();
            }
        }
        test.clock.set(end);
        history.flush();
        history.rollUp();
        history.retire();

        // Each outage is of two results, so an hour.
        assertThat(history.uptime("web-1").get("24h"))
                .isCloseTo(uptime(1, ofHours(24).plusSeconds(56)), within(1e-9));
        assertThat(history.uptime("web-1").get("7d"))
                .isCloseTo(uptime(2, ofDays(7).plusSeconds(56)), within(1e-9));
        assertThat(history.uptime("web-1").get("30d"))
                .isCloseTo(uptime(3, ofDays(30).plusMinutes(34).plusSeconds(56)), within(1e-9));
        assertThat(history.uptime("web-1").get("90d"))
                .isCloseTo(uptime(4, ofDays(90).plusMinutes(34).plusSeconds(56)), within(1e-9));
        assertThat(history.days(List.of("web-1"), 90))
                .allMatch(Day::isKnown)
                .filteredOn(day -> !day.down().isZero())
                .extracting(Day::downMinutes)
                .containsExactly(60L, 60L, 60L, 60L);
        assertThat(history.series("web-1", START, end, ofDays(1)).points())
                .hasSize(93)
                .satisfies(points -> assertThat(points.get(50).checks()).isEqualTo(48));
        assertThat(test.partitions("monitors_results")).hasSize(5);
        assertThat(test.partitions("monitors_minutes")).hasSize(11);
    }

    private static double uptime(int hoursDown, Duration of) {
        return 100.0 * (1 - (double) ofHours(hoursDown).toMillis() / of.toMillis());
    }

    private void rollUpElsewhere() {
        try (ExecutorService elsewhere = Executors.newVirtualThreadPerTaskExecutor()) {
            elsewhere.submit(history::rollUp);
        }
    }

    /** The same results, written before anything is rolled up. */
    private List<Object> inTime(List<Result> results) {
        test.database.useHandle(
                handle -> handle.execute(
                        "TRUNCATE monitors_results, monitors_minutes, monitors_hours, monitors_days, monitors_rolled, monitors_roll_ups"));
        results.forEach(history::add);
        history.flush();
        return everything();
    }

    private List<Object> everything() {
        List<Object> everything = new ArrayList<>();
        Instant now = test.clock.instant();
        for (String monitor : MONITORS) {
            everything.add(history.uptime(monitor));
            everything.add(history.series(monitor, START, now, ofMinutes(1)));
            everything.add(history.series(monitor, START, now, ofMinutes(7)));
            everything.add(history.series(monitor, START, now, ofHours(1)));
            everything.add(history.series(monitor, START.minus(ofHours(22)), now, ofDays(1)));
        }
        everything.add(history.days(MONITORS, 3));
        everything.add(history.uptimes(MONITORS));
        return everything;
    }

    /** Of every kind, with gaps, at odd distances. */
    private static List<Result> random(Random random, Duration length) {
        List<Result> results = new ArrayList<>();
        for (String monitor : MONITORS) {
            for (Instant at = START; at.isBefore(START.plus(length)); at = at.plusMillis(1 + random.nextInt(200_000))) {
                boolean ok = random.nextInt(4) != 0;
                results.add(new Result(
                        monitor,
                        at,
                        ofSeconds(1 + random.nextInt(120)),
                        ok,
                        !ok && random.nextBoolean(),
                        random.nextInt(10) == 0,
                        random.nextInt(5_000),
                        ok ? 200 : 500,
                        ok ? null : "status is 500"));
            }
        }
        return results;
    }
}
