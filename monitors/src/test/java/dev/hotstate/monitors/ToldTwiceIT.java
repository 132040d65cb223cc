package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.RedisOutages.Outage;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.store.Database;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** PostgreSQL is told of outages at least once, by anybody, and what it has does not change by that. */
@ExtendWith(Testkit.class)
class ToldTwiceIT {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final Monitor web = Bench.monitor("web", Rhythm.DEFAULTS);
    private final Outage first = outage(0, 60L, OptionalLong.empty());
    private final Outage second = outage(120, null, OptionalLong.empty());
    private Database database;
    private PostgresIncidents incidents;
    private PostgresTelling telling;

    @BeforeEach
    void open(RedisServer redis, PostgresDatabase postgres) {
        database = new Fleet(redis, postgres).database();
        incidents = new PostgresIncidents(database, new PostgresOutbox(database));
        telling = new PostgresTelling(database, new PostgresOutbox(database));
        database.useHandle(handle -> handle.execute("DELETE FROM monitors_incidents"));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anOutageThatEndedBeforeTheNextBeganDoesNotCloseThatOne() {
        Outages both = new Outages(second, List.of(first));

        PostgresTelling.Told once = telling.tell(web, both);
        PostgresTelling.Told again = telling.tell(web, both);

        assertThat(once.opened()).hasSize(2);
        assertThat(once.closed()).hasSize(1);
        assertThat(again).isEqualTo(new PostgresTelling.Told(once.current(), List.of(), List.of()));
        assertThat(incidents.open(List.of("web")))
                .singleElement()
                .satisfies(open -> assertThat(open.startedAt()).isEqualTo(NOON.plusSeconds(120)));
    }

    @Test
    void anOutageThatRedisBeganAnewAfterALossIsTheIncidentThatIsOpen() {
        long id = telling.tell(web, new Outages(second, List.of())).current().orElseThrow();

        Outage later = outage(180, null, OptionalLong.empty());
        assertThat(telling.tell(web, new Outages(later, List.of())).current()).hasValue(id);

        Outage over = outage(180, 240L, OptionalLong.empty());
        assertThat(telling.tell(web, new Outages(null, List.of(over))).closed())
                .singleElement()
                .satisfies(closed -> assertThat(closed.id()).isEqualTo(id));
    }

    private static Outage outage(long start, @Nullable Long end, OptionalLong incident) {
        return new Outage(
                NOON.plusSeconds(start), end == null ? null : NOON.plusSeconds(end), 1, incident, "refused", "raw");
    }
}
