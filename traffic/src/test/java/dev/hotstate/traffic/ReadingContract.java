package dev.hotstate.traffic;

import static dev.hotstate.traffic.TestFleet.START;
import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of the past: windows, hours, and one endpoint. */
abstract class ReadingContract extends FleetContract {
    ReadingContract(RedisTarget target) {
        super(target);
    }

    @Test
    void windowsLookBackAsFarAsTheySay() {
        get(here, "/a", 200, 10);
        here.flush();

        assertThat(requestsByWindow()).containsExactly(1L, 1L, 1L, 1L);
        fleet.clock.advance(Duration.ofSeconds(70));
        assertThat(requestsByWindow()).containsExactly(0L, 1L, 1L, 1L);
        fleet.clock.advance(Duration.ofMinutes(15));
        assertThat(requestsByWindow()).containsExactly(0L, 0L, 1L, 1L);
        fleet.clock.advance(Duration.ofMinutes(50));
        assertThat(requestsByWindow()).containsExactly(0L, 0L, 0L, 1L);
        fleet.clock.advance(Duration.ofHours(25));
        assertThat(requestsByWindow()).containsExactly(0L, 0L, 0L, 0L);
    }

    @Test
    void hoursAreListedOldestFirst() {
        get(here, "/a", 200, 10);
        here.flush();
        fleet.clock.advance(Duration.ofHours(2));
        get(here, "/a", 200, 30);
        get(here, "/a", 500, 30);
        here.flush();

        List<Line> hours = here.hourly();
        assertThat(hours).hasSize(24);
        assertThat(hours.subList(21, 24))
                .extracting(Line::name, Line::requests, Line::errors)
                .containsExactly(
                        tuple("2026-01-01T10:00:00Z", 1L, 0L),
                        tuple("2026-01-01T11:00:00Z", 0L, 0L),
                        tuple("2026-01-01T12:00:00Z", 2L, 1L));
    }

    @Test
    void theFleetIsToldOverTime() {
        get(here, "/a", 200, 10);
        get(there, "/b", 500, 20);
        flushBoth();
        fleet.clock.advance(Duration.ofSeconds(20));
        get(here, "/a", 200, 30);
        here.flush();

        List<Line> minute = here.series(Window.MINUTE);
        assertThat(minute).hasSize(7);
        assertThat(minute.subList(4, 7))
                .extracting(Line::name, Line::requests, Line::errors, Line::avgMs)
                .containsExactly(
                        tuple("2026-01-01T10:17:20Z", 2L, 1L, 15.0),
                        tuple("2026-01-01T10:17:30Z", 0L, 0L, null),
                        tuple("2026-01-01T10:17:40Z", 1L, 0L, 30.0));
        assertThat(here.series(Window.QUARTER)).hasSize(16);
    }

    @Test
    void theHistoryOfAnHourHasARowForEachEndpointWithItsHistogram() {
        get(here, "/a", 200, 10);
        get(there, "/a", 200, 30);
        get(there, "/b", 500, 5);
        flushBoth();

        Instant hour = Instant.parse("2026-01-01T10:00:00Z");
        List<HourRow> rows = here.hours(hour);
        assertThat(rows)
                .extracting(HourRow::hour, HourRow::endpoint, HourRow::requests, HourRow::errors, HourRow::sumMicros)
                .containsExactlyInAnyOrder(
                        tuple(hour, "GET /a", 2L, 0L, 40_000L), tuple(hour, "GET /b", 1L, 1L, 5_000L));
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(Histogram.parse(row.histogram()).count()).isEqualTo(row.requests()));
        assertThat(here.hours(hour.plus(Duration.ofHours(1)))).isEmpty();
    }

    @Test
    void anEndpointIsToldInDetail() {
        get(here, "/a", 200, 10);
        fleet.clock.advance(Duration.ofMillis(5));
        get(here, "/a", 500, 20);
        here.flush();

        EndpointDetail detail = here.endpoint("GET", "/a").orElseThrow();
        assertThat(detail.name()).isEqualTo("GET /a");
        assertThat(detail.requests()).isEqualTo(2);
        assertThat(detail.errors()).isEqualTo(1);
        assertThat(detail.avgMs()).isEqualTo(15.0);
        assertThat(detail.windows())
                .hasSize(4)
                .allSatisfy((window, line) -> assertThat(line.requests()).isEqualTo(2));
        assertThat(detail.samples())
                .containsExactly(
                        new EndpointDetail.Sample(START.plusMillis(5), 20, 500),
                        new EndpointDetail.Sample(START, 10, 200));
        assertThat(here.endpoint("POST", "/a")).isEmpty();
    }

    private List<Long> requestsByWindow() {
        return List.of(Window.values()).stream()
                .map(window -> here.endpoints(window).stream()
                        .mapToLong(Line::requests)
                        .sum())
                .toList();
    }
}
