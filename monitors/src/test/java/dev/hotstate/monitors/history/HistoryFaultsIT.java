package dev.hotstate.monitors.history;

import static dev.hotstate.monitors.history.TestHistory.up;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.store.StoreUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.SettableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A PostgreSQL of its own, to be killed and paused. */
@Timeout(120)
class HistoryFaultsIT {
    private static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

    private final PostgresServer server = PostgresServer.start();
    private final Database database = Database.open(DatabaseOptions.of(server.jdbcUrl())
            .withConnectTimeout(Duration.ofSeconds(1))
            .withQueryTimeout(Duration.ofSeconds(1)));
    private final SettableClock clock = SettableClock.at(NOON);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        database.close();
        server.close();
    }

    @Test
    void whileItIsPausedResultsWaitAndNoneIsLostOrCountedTwice() {
        try (History history = start(10_000)) {
            history.add(up("web-1", NOON));
            history.flush();
            server.pause();
            try {
                add(history, 1, 3_000);
                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(history::flush);
            } finally {
                server.resume();
            }

            Eventually.until("all are there", () -> results() == 3_000);
            clock.set(NOON.plus(Duration.ofSeconds(3_000)));
            assertThat(history.uptime("web-1")).containsEntry("24h", 100.0);
            assertThat(history.series("web-1", NOON, clock.instant(), Duration.ofHours(1))
                            .points())
                    .singleElement()
                    .returns(3_000L, Series.Point::checks);
            assertThat(dropped()).isZero();
        }
    }

    @Test
    void afterItWasKilledTheNewestOfABufferThatRanOverAreThere() {
        try (History history = start(1_000)) {
            server.kill();
            add(history, 0, 1_500);
            assertThat(dropped()).isEqualTo(500);
            server.restart();

            Eventually.until("the rest is there", () -> results() == 1_000);
            assertThat(history.latest(List.of("web-1"))).containsEntry("web-1", up("web-1", NOON.plusSeconds(1_499)));
        }
    }

    @Test
    void closingGivesUpOnAPausedOne() {
        History history = start(1_000);
        server.pause();
        try {
            history.add(up("web-1", NOON));

            history.close();
        } finally {
            server.resume();
        }
    }

    private History start(int buffer) {
        database.migrate(List.of(MigrationSet.of("monitors")));
        HistoryOptions options = HistoryOptions.DEFAULTS.withBuffer(buffer, 100).withFlushEvery(Duration.ofMillis(20));
        return History.start(database, options, meters, clock);
    }

    private static void add(History history, int from, int to) {
        for (int second = from; second < to; second++) {
            history.add(up("web-1", NOON.plusSeconds(second)));
        }
    }

    private long results() {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM monitors_results")
                .mapTo(Long.class)
                .one());
    }

    private double dropped() {
        return meters.counter("hotstate.monitors.history.dropped", "reason", "overflow")
                .count();
    }
}
