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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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

    @Test
    void theShortOutageOfAChildIsToldWhenItsParentWasUpAllTheTime() {
        Monitor child = Some.monitor("child", "'depends_on':['router'],'alerts':['ops']");
        Incident held =
                telling.tell(child, new Outages(second, List.of())).opened().getFirst();
        assertThat(held.held()).isTrue();

        telling.tell(child, new Outages(null, List.of(outage(120, 150L, OptionalLong.of(held.id())))));

        assertThat(incidents.events(List.of(held.id())).get(held.id()))
                .extracting(Incident.Event::kind)
                .containsExactlyInAnyOrder("opened", "held", "closed", "released");
        assertThat(fates(held)).isEqualTo("[opened pending, closed pending]");
    }

    @Test
    void theShortOutageOfAChildIsToldToNobodyWhenItsParentWasDownMeanwhile() {
        Monitor child = Some.monitor("child", "'depends_on':['router'],'alerts':['ops']");
        Incident held =
                telling.tell(child, new Outages(second, List.of())).opened().getFirst();
        telling.tell(
                Bench.monitor("router", Rhythm.DEFAULTS),
                new Outages(outage(130, null, OptionalLong.empty()), List.of()));

        telling.tell(child, new Outages(null, List.of(outage(120, 150L, OptionalLong.of(held.id())))));

        assertThat(fates(held)).isEqualTo("[opened dropped]");
    }

    private String fates(Incident incident) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT kind || ' ' || status FROM monitors_deliveries WHERE incident = :id ORDER BY place")
                .bind("id", incident.id())
                .mapTo(String.class)
                .list()
                .toString());
    }

    @Test
    void nobodyClosesTheIncidentOfAnotherMonitor() {
        long id = telling.tell(web, new Outages(second, List.of())).current().orElseThrow();

        telling.tell(
                Bench.monitor("other", Rhythm.DEFAULTS),
                new Outages(null, List.of(outage(120, 240L, OptionalLong.of(id)))));

        assertThat(incidents.find(id).orElseThrow().isOpen()).isTrue();
    }

    @Test
    void anIncidentThatIsToldLateIsNotToldAgainAtOnce() {
        Monitor nagging = Some.monitor("nagging", "'remind_every':'10m'");
        telling.tell(nagging, new Outages(second, List.of()));

        Instant now = InstantSource.system().instant();
        assertThat(incidents.dueReminders(now)).isEmpty();
        assertThat(incidents.dueReminders(now.plus(Duration.ofMinutes(11)))).hasSize(1);
    }

    @Test
    void anIncidentThatIsReleasedIsNotToldAgainAtOnce() {
        Monitor child = Some.monitor("child", "'remind_every':'10m','depends_on':['router']");
        long id = telling.tell(child, new Outages(second, List.of())).current().orElseThrow();
        Instant later = InstantSource.system().instant().plus(Duration.ofHours(1));

        assertThat(incidents.release(id, later, child.remindEvery())).isTrue();

        assertThat(incidents.dueReminders(later.plus(Duration.ofMinutes(9)))).isEmpty();
        assertThat(incidents.dueReminders(later.plus(Duration.ofMinutes(11)))).hasSize(1);
    }

    private static Outage outage(long start, @Nullable Long end, OptionalLong incident) {
        return new Outage(
                NOON.plusSeconds(start), end == null ? null : NOON.plusSeconds(end), 1, incident, "refused", "raw");
    }
}
