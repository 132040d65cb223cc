package dev.hotstate.monitors.history;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.SettableClock;
import dev.hotstate.testkit.Testkit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class HistoryIT {
    private static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");
    private static final Duration STANDS = ofSeconds(75);

    private final SettableClock clock = SettableClock.at(NOON);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Database database;
    private History history;

    @BeforeEach
    void open(PostgresServer postgres) {
        database = Database.open(DatabaseOptions.of(postgres.freshDatabase().jdbcUrl()));
        database.migrate(List.of(MigrationSet.of("monitors")));
        history = History.start(database, HistoryOptions.DEFAULTS, meters, clock);
    }

    @AfterEach
    void close() {
        history.close();
        database.close();
    }

    @Test
    void theLatestResultIsReadBackAsItWas() {
        Result first = new Result("web-1", NOON, STANDS, true, false, false, 12, 200, null);
        Result last = new Result(
                "web-1", NOON.plusMillis(60_001), STANDS, false, true, true, 10_000, 503, "say \u0000 \"no\"\n\uD800");
        Result other = new Result("web-2", NOON, ofHours(25), true, false, false, 3, null, null);
        List.of(last, first, other).forEach(history::add);
        history.flush();

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
        for (Instant at = NOON; at.isBefore(NOON.plus(ofHours(1))); at = at.plus(ofMinutes(1))) {
            boolean down = !at.isBefore(NOON.plus(ofMinutes(30)));
            history.add(result("web-1", at, !down, down));
            if (down) {
                history.add(result("web-1", at.plusSeconds(5), false, true));
                history.add(result("web-1", at.plusSeconds(10), false, true));
            }
        }
        clock.set(NOON.plus(ofHours(1)));
        history.flush();

        assertThat(history.uptime("web-1").get("24h")).isCloseTo(50, within(1e-9));
        assertThat(history.uptime("web-1")).containsOnlyKeys("24h", "7d", "30d", "90d");
    }

    @Test
    void ofAMonitorWithoutResultsNothingIsKnown() {
        assertThat(history.uptime("web-1")).containsEntry("24h", null).containsEntry("90d", null);
    }

    private static Result result(String monitor, Instant at, boolean ok, boolean down) {
        return new Result(monitor, at, STANDS, ok, down, false, 20, ok ? 200 : 500, ok ? null : "status is 500");
    }
}
