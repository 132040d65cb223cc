package dev.hotstate.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.Testkit;
import dev.hotstate.traffic.HourRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class PostgresHistoryIT {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private Database database;
    private PostgresHistory history;

    @BeforeEach
    void open(PostgresServer postgres) {
        database = Database.open(DatabaseOptions.of(postgres.freshDatabase().jdbcUrl()));
        database.migrate(List.of(MigrationSet.of("traffic")));
        history = new PostgresHistory(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void theEndpointsOfAnHourAddUp() {
        history.save(List.of(
                new HourRow(NOON, "GET /a", 3, 1, 60, "10;1,,2"), new HourRow(NOON, "GET /b", 2, 0, 40, "12;1,1")));

        assertThat(hours()).containsExactly(new HourRow(NOON, "", 5, 1, 100, "10;1,,3,1"));
        assertThat(rows()).isEqualTo(3);
    }

    @Test
    void writingAnHourAgainReplacesItAndAddsNothing() {
        history.save(List.of(new HourRow(NOON, "GET /a", 3, 1, 60, "10;1,,2")));
        history.save(List.of(new HourRow(NOON, "GET /a", 3, 1, 60, "10;1,,2")));
        history.save(List.of(new HourRow(NOON, "GET /a", 4, 2, 80, "10;2,,2")));

        assertThat(hours()).containsExactly(new HourRow(NOON, "", 4, 2, 80, "10;2,,2"));
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void anHourOfWhichRedisLostAPartIsKeptAsItWas() {
        history.save(List.of(new HourRow(NOON, "GET /a", 30, 1, 60, "10;30")));
        history.save(List.of(new HourRow(NOON, "GET /a", 2, 0, 4, "10;2")));

        assertThat(hours()).containsExactly(new HourRow(NOON, "", 30, 1, 60, "10;30"));
    }

    @Test
    void hoursAreReadInTheirOrderAndNoMoreThanAskedFor() {
        for (int i = 5; i >= 0; i--) {
            history.save(List.of(new HourRow(NOON.plus(HOUR.multipliedBy(i)), "GET /a", 1, 0, 1, "1;1")));
        }
        assertThat(history.hours(NOON.plus(HOUR), NOON.plus(HOUR.multipliedBy(4)), 3))
                .extracting(HourRow::hour)
                .containsExactly(NOON.plus(HOUR), NOON.plus(HOUR.multipliedBy(2)), NOON.plus(HOUR.multipliedBy(3)));
    }

    @Test
    void whatIsOlderIsForgotten() {
        history.save(List.of(
                new HourRow(NOON, "GET /a", 1, 0, 1, "1;1"), new HourRow(NOON.plus(HOUR), "GET /a", 2, 0, 1, "1;2")));
        assertThat(history.forget(NOON.plus(HOUR))).isEqualTo(2);
        assertThat(hours()).extracting(HourRow::requests).containsExactly(2L);
    }

    private List<HourRow> hours() {
        return history.hours(NOON, NOON.plus(HOUR.multipliedBy(24)), 100);
    }

    private int rows() {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM traffic_hourly")
                .mapTo(int.class)
                .one());
    }
}
