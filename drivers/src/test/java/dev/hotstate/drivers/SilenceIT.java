package dev.hotstate.drivers;

import static dev.hotstate.drivers.Status.AVAILABLE;
import static dev.hotstate.drivers.Status.BUSY;
import static dev.hotstate.drivers.Status.OFFLINE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Partition;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Drivers that are not heard of. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class SilenceIT {
    private final Queue<DriverChange> changes = new ConcurrentLinkedQueue<>();
    private Garage garage;
    private Garage.Instance hasty;
    private PostgresDrivers stored;

    @BeforeAll
    void start(RedisServer redis, PostgresDatabase postgres) {
        garage = new Garage(redis, postgres.jdbcUrl());
        hasty = garage.start(Garage.HASTY);
        hasty.driving.listen(changes::add);
        stored = new PostgresDrivers(hasty.database);
    }

    @AfterAll
    void close() {
        garage.close();
    }

    @Test
    void whoIsSilentIsOfflineEverywhereAndBackWithTheNextFix() {
        hasty.drivers.locate(Fix.of("a1", 10, 10));
        Eventually.until("it is told", () -> changes.contains(new DriverChange("a1", OFFLINE, "default")));
        Eventually.until(
                "PostgreSQL knows", () -> stored.find("a1").orElseThrow().status() == OFFLINE);
        assertThat(stored.find("a1").orElseThrow().chosen()).isFalse();
        assertThat(hasty.drivers.find("a1").orElseThrow().status()).isEqualTo(OFFLINE);

        changes.clear();
        assertThat(hasty.drivers.locate(Fix.of("a1", 10, 10)).status()).isEqualTo(AVAILABLE);
        assertThat(changes).contains(new DriverChange("a1", AVAILABLE, "default"));
        Eventually.until("PostgreSQL knew of it", () -> wasAvailableAgain("a1"));
    }

    @Test
    void ofTwoInstancesOneTellsOfEachWhoFallsSilent() {
        Garage.Instance second = garage.start(Garage.HASTY);
        Queue<DriverChange> told = new ConcurrentLinkedQueue<>();
        hasty.driving.listen(told::add);
        second.driving.listen(told::add);
        List<Fix> fixes = java.util.stream.IntStream.range(0, 300)
                .mapToObj(i -> Fix.of("two-" + i, 15, 10 + i * 1e-3))
                .toList();
        second.drivers.locateAll(fixes);

        Eventually.until(
                "all are OFFLINE",
                () -> fixes.stream().allMatch(fix -> told.contains(new DriverChange(fix.id(), OFFLINE, "default"))));
        second.driving.findSilent();
        assertThat(told.stream()
                        .filter(change ->
                                change.status() == OFFLINE && change.id().startsWith("two-")))
                .hasSize(300);
        second.close();
    }

    @Test
    void aBusyDriverNeverFallsSilent() {
        hasty.drivers.locate(Fix.of("b1", 11, 10));
        hasty.drivers.locate(Fix.of("b2", 11, 10));
        hasty.drivers.markBusy("b1");
        Eventually.until(
                "the other one is OFFLINE",
                () -> hasty.drivers.find("b2").orElseThrow().status() == OFFLINE);
        assertThat(hasty.drivers.find("b1").orElseThrow().status()).isEqualTo(BUSY);
    }

    @Test
    void whoFellSilentWhenNobodyWasLeftToTellIsFound() {
        hasty.drivers.locate(Fix.of("c1", 12, 10));
        Eventually.until("it is OFFLINE", () -> stored.find("c1").orElseThrow().status() == OFFLINE);
        // As if an instance had died between its sweep and PostgreSQL.
        hasty.database.useHandle(handle -> handle.execute("UPDATE drivers_drivers SET status = 'AVAILABLE',"
                + " last_active_at = now() - interval '1 h' WHERE id = 'c1'"));

        changes.clear();

        hasty.driving.findSilent();

        Eventually.until(
                "PostgreSQL knows", () -> stored.find("c1").orElseThrow().status() == OFFLINE);
        assertThat(changes).contains(new DriverChange("c1", OFFLINE, "default"));
    }

    @Test
    void whoIsAvailableInPostgresAloneIsOfflineHoweverManyTheyAre() {
        hasty.drivers.locate(Fix.of("e1", 14, 10));
        Eventually.until("it is OFFLINE", () -> stored.find("e1").orElseThrow().status() == OFFLINE);
        hasty.database.useHandle(handle -> {
            // One that Redis made OFFLINE before it was AVAILABLE here, and many that Redis has never heard of.
            handle.execute("UPDATE drivers_drivers SET status = 'AVAILABLE', since = now() + interval '1 s',"
                    + " last_active_at = now() - interval '1 h' WHERE id = 'e1'");
            handle.execute("INSERT INTO drivers_drivers (id, region, status, since, last_active_at)"
                    + " SELECT 'lone-' || i, 'default', 'AVAILABLE', now() - interval '2 h',"
                    + " CASE WHEN i % 2 = 0 THEN now() - interval '1 h' END FROM generate_series(1, 450) i");
            handle.execute("INSERT INTO drivers_drivers (id, region, status, since)"
                    + " VALUES ('a-nowhere', 'nowhere', 'AVAILABLE', now() - interval '2 h')");
        });

        hasty.driving.findSilent();

        Eventually.until(
                "PostgreSQL knows",
                () -> hasty.database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM drivers_drivers"
                                        + " WHERE status = 'AVAILABLE' AND (id LIKE 'lone-%' OR id = 'e1')")
                                .mapTo(Integer.class)
                                .one())
                        == 0);
    }

    @Test
    void whoIsForgottenComesBackAsItWas() {
        hasty.drivers.locate(Fix.of("d1", 13, 10));
        hasty.drivers.describe("d1", new Profile("Dora", "van", 4.0, List.of("van")));
        hasty.drivers.locate(Fix.of("d2", 13, 10));
        hasty.drivers.markOffline("d2");
        Eventually.until("it is OFFLINE", () -> stored.find("d1").orElseThrow().status() == OFFLINE);
        Eventually.until("Redis has forgotten it", () -> {
            hasty.driving.forgetOld();
            return stored.find("d1").orElseThrow().forgotten();
        });
        RedisLook look = new RedisLook(hasty.redis, hasty.incarnations);
        assertThat(look.drivers(new Partition("default"), List.of("d1", "d2"))).containsOnlyKeys("d2");
        assertThat(hasty.drivers.find("d1").orElseThrow().profile().name()).isEqualTo("Dora");

        Eventually.until("it is found by its tag again", () -> {
            hasty.drivers.locate(Fix.of("d1", 13, 10));
            return hasty.found(new Search(13, 10, 1_000, 10, "van", Search.Order.DISTANCE))
                    .contains("d1");
        });
        assertThat(stored.find("d1").orElseThrow().forgotten()).isFalse();
        assertThat(stored.find("d2").orElseThrow().forgotten()).isFalse();
    }

    /** It may be silent again by now. */
    private boolean wasAvailableAgain(String id) {
        StoredDriver row = stored.find(id).orElseThrow();
        return row.status() == AVAILABLE || changes.contains(new DriverChange(id, OFFLINE, "default"));
    }
}
