package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.HotstateException;
import dev.hotstate.monitors.RedisOutages.Outage;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.monitors.alert.PostgresOutbox;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Incidents that are told again, and those of monitors that are deleted and made anew; without Redis. */
class RemindersIT extends EmptyDefinitions {
    private static final String REMINDED = "'remind_every':'10m'";

    @Test
    void remindersGoOutWhileRedisIsAway() {
        Incident open = trouble("away", REMINDED);

        later();

        assertThat(reminders(open)).isEqualTo(1);
    }

    @Test
    void nobodyIsRemindedOfAMonitorThatIsPaused() {
        Incident open = trouble("paused", REMINDED);
        definitions.pause("paused");

        later();
        assertThat(reminders(open)).isZero();

        definitions.resume("paused");
        later();
        assertThat(reminders(open)).isEqualTo(1);
    }

    @Test
    void nobodyIsRemindedOfAMonitorInMaintenance() {
        Incident open = trouble("covered", REMINDED);
        clock.advance(Duration.ofDays(1000));
        try (Maintenance maintenance = Maintenance.load(database, clock, directory::missing)) {
            maintenance.create(new Window(
                    "covering",
                    "covering",
                    new Schedule.Once(clock.instant(), clock.instant().plus(Duration.ofHours(1))),
                    List.of("covered"),
                    List.of()));
            tellDue(maintenance);
            assertThat(reminders(open)).isZero();

            clock.advance(Duration.ofHours(2));
            tellDue(maintenance);
            assertThat(reminders(open)).isEqualTo(1);
            maintenance.delete("covering");
        }
    }

    @Test
    void whoWantsToBeRemindedOfAnIncidentThatIsOpenIs() {
        Incident open = trouble("calm", "'paused':false");
        later();
        definitions.replace(Some.monitor("calm", REMINDED));

        later();
        assertThat(reminders(open)).isZero();
        later();
        assertThat(reminders(open)).isEqualTo(1);
    }

    @Test
    void theIncidentOfADeletedMonitorIsNotThatOfTheNextUnderItsId() {
        Incident open = trouble("again", REMINDED);

        definitions.delete("again");
        definitions.create(Some.monitor("again"));

        assertThat(incidents().open(List.of("again"))).isEmpty();
        assertThat(incidents().events(List.of(open.id())).get(open.id()))
                .extracting(Incident.Event::kind)
                .contains("abandoned");
    }

    @Test
    void whatIsOverForLongIsForgottenAndWhatIsOpenNever() {
        Incident over = trouble("over", REMINDED);
        definitions.delete("over");
        clock.advance(Duration.ofDays(10));

        assertThat(incidents().purge(clock.instant().minus(Duration.ofDays(11))))
                .isZero();
        assertThat(incidents().purge(clock.instant().minus(Duration.ofDays(9)))).isEqualTo(1);
        assertThat(incidents().find(over.id())).isEmpty();
        assertThat(incidents().events(List.of(over.id()))).isEmpty();

        Incident open = trouble("open", REMINDED);
        clock.advance(Duration.ofDays(10));
        assertThat(incidents().purge(clock.instant())).isZero();
        assertThat(incidents().find(open.id())).isPresent();
    }

    private Incident trouble(String id, String more) {
        Monitor monitor = Some.monitor(id, more);
        definitions.create(monitor);
        database.useHandle(handle -> handle.execute("DELETE FROM monitors_incidents"));
        Instant at = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var outage = new Outage(at, null, 1, OptionalLong.empty(), "refused", "raw");
        return new PostgresTelling(database, new PostgresOutbox(database))
                .tell(monitor, new Outages(outage, List.of()))
                .opened()
                .getFirst();
    }

    /** Long enough for a reminder, whatever PostgreSQL's clock says. */
    private void later() {
        clock.advance(Duration.ofDays(1000));
        try (Maintenance maintenance = Maintenance.load(database, clock, directory::missing)) {
            tellDue(maintenance);
        }
    }

    private void tellDue(Maintenance maintenance) {
        new Reminders(
                        incidents(),
                        directory,
                        maintenance,
                        some -> {
                            throw new HotstateException("Redis is away");
                        },
                        clock)
                .tellDue();
    }

    private int reminders(Incident incident) {
        return incidents().find(incident.id()).orElseThrow().reminders();
    }

    private PostgresIncidents incidents() {
        return new PostgresIncidents(database, new PostgresOutbox(database));
    }
}
