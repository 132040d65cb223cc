package dev.hotstate.drivers;

import static dev.hotstate.drivers.Status.AVAILABLE;
import static dev.hotstate.drivers.Status.OFFLINE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Partition;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One that an instance which had not heard of a region entered elsewhere is there only until it is silent there. */
@ExtendWith(Testkit.class)
class GhostIT {
    /** What is on its way to PostgreSQL stays on its way for the whole test. */
    private static final Driving.Options SLOW_TO_WRITE = new Driving.Options(
            Duration.ofMinutes(10),
            WeightedScoring.DEFAULTS,
            Duration.ofMinutes(1),
            Duration.ofMillis(100),
            Duration.ofDays(7));

    @Test
    void whatIsSaidOfItThereIsNotSaidOfTheDriver(RedisServer redis, PostgresDatabase postgres) {
        Queue<DriverChange> changes = new ConcurrentLinkedQueue<>();
        try (Garage garage = new Garage(redis, postgres.jdbcUrl())) {
            Garage.Instance instance = garage.start(SLOW_TO_WRITE);
            instance.driving.listen(changes::add);
            instance.drivers.regions().put(Region.box("west", 0, 0, 10, 10));
            Eventually.until("its regions are ready", instance.incarnations::allReady);
            instance.drivers.locate(Fix.of("n1", 2, 5));
            enterElsewhere(instance, "n1");

            assertThat(found(instance)).containsExactly("n1");
            RedisLook look = new RedisLook(instance.redis, instance.incarnations);
            Eventually.until(
                    "the ghost is gone",
                    () -> look.drivers(Atlas.DEFAULT, List.of("n1")).isEmpty());
            assertThat(look.drivers(new Partition("west"), List.of("n1"))).containsOnlyKeys("n1");
            assertThat(found(instance)).containsExactly("n1");
            assertThat(changes).noneMatch(change -> change.status() == OFFLINE);
        }
        try (Garage garage = new Garage(redis, postgres.jdbcUrl());
                var database = garage.database()) {
            assertThat(new PostgresDrivers(database).find("n1").orElseThrow().status())
                    .isEqualTo(AVAILABLE);
        }
    }

    @Test
    void oneThatPostgresHasElsewhereIsNotReservedAndItsTakeIsUndoneAtOnce(
            RedisServer redis, PostgresDatabase postgres) {
        try (Garage garage = new Garage(redis, postgres.jdbcUrl())) {
            Garage.Instance instance = garage.start(Garage.PATIENT);
            instance.drivers.regions().put(Region.box("west", 0, 0, 10, 10));
            Eventually.until("its regions are ready", instance.incarnations::allReady);
            instance.drivers.locate(Fix.of("g1", 4, 5));
            instance.drivers.locate(Fix.of("g2", 4, 5.001));
            instance.drivers.markBusy("g1");
            new RedisFixes(instance.redis, instance.incarnations, Duration.ofMinutes(10))
                    .update(Atlas.DEFAULT, List.of(CellFix.of(Fix.of("g1", 4, 5))), true);

            Wish wish = new Wish(4, 5, 5_000, 2, null, Duration.ofMinutes(5), "tester");
            assertThat(instance.drivers.reserve(wish))
                    .extracting(Reservation::driver)
                    .containsExactly("g2");

            RedisLook look = new RedisLook(instance.redis, instance.incarnations);
            assertThat(look.drivers(Atlas.DEFAULT, List.of("g1")).get("g1").held())
                    .isNull();
        }
    }

    @Test
    void oneThatARebuildReadBeforeItMovedAwayIsGoneSoon(RedisServer redis, PostgresDatabase postgres) {
        try (Garage garage = new Garage(redis, postgres.jdbcUrl())) {
            Garage.Instance instance = garage.start(Garage.PATIENT);
            instance.drivers.regions().put(Region.box("west", 0, 0, 10, 10));
            Eventually.until("its regions are ready", instance.incarnations::allReady);
            instance.drivers.locate(Fix.of("h1", 12, 5));
            instance.drivers.locate(Fix.of("h1", 7, 5));
            RedisLook look = new RedisLook(instance.redis, instance.incarnations);
            // As if PostgreSQL heard of the move only after the default region was lost and its drivers were read.
            place(instance, "default", 1, null);
            redis.commands().del("dev:hotstate:{default}:incarnation");
            Eventually.until(
                    "it is in both regions",
                    () -> look.drivers(Atlas.DEFAULT, List.of("h1")).size() == 1);
            place(instance, "west", 2, "default");

            Eventually.until(
                    "the ghost is gone",
                    () -> look.drivers(Atlas.DEFAULT, List.of("h1")).isEmpty());
            assertThat(look.drivers(new Partition("west"), List.of("h1"))).hasSize(1);
        }
    }

    private static void place(Garage.Instance instance, String region, long epoch, String cameFrom) {
        instance.database.useHandle(handle -> handle.execute(
                "UPDATE drivers_drivers SET region = ?, epoch = ?, came_from = ? WHERE id = 'h1'",
                region,
                epoch,
                cameFrom));
    }

    private static void enterElsewhere(Garage.Instance instance, String id) {
        new RedisFixes(instance.redis, instance.incarnations, Duration.ofSeconds(1))
                .update(Atlas.DEFAULT, List.of(CellFix.of(Fix.of(id, 2, 5))), true);
    }

    private static List<String> found(Garage.Instance instance) {
        return instance.found(new Search(2, 5, 5_000, 50, null, Search.Order.DISTANCE));
    }
}
