package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Partition;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What PostgreSQL answers while Redis cannot is what Redis would: the same drivers at the same distances in one order. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class FallBackIT {
    private static final int DRIVERS = 1_500;
    private static final Duration HEARTBEAT = Garage.PATIENT.heartbeat();

    /** A city, the antimeridian, the far north, the equator at Greenwich. */
    private static final double[][] CENTRES = {{12.97, 77.59}, {-17, 180}, {85.0, 20}, {0, 0}};

    private final Random random = new Random(6);
    private Garage garage;
    private Garage.Instance one;

    @BeforeAll
    void start(RedisServer redis, PostgresDatabase postgres) {
        garage = new Garage(redis, postgres.jdbcUrl());
        one = garage.start(Garage.PATIENT);
        one.drivers.regions().put(Region.box("north", 60, -180, 85.05, 180));
        one.drivers.regions().put(Region.box("fiji", -30, 170, -10, 180));
        List<Fix> fixes = new ArrayList<>();
        for (int i = 0; i < DRIVERS; i++) {
            double[] centre = CENTRES[i % CENTRES.length];
            // Every tenth where another is, so that distances are equal.
            Fix fix = i >= 40 && i % 10 == 0
                    ? Fix.of("d" + i, fixes.get(i - 40).lat(), fixes.get(i - 40).lon())
                    : Fix.of("d" + i, lat(centre[0]), lon(centre[1]));
            fixes.add(fix);
        }
        one.drivers.locateAll(fixes);
        for (int i = 0; i < DRIVERS; i += 15) {
            switch (i % 4) {
                case 0 -> one.drivers.markBusy("d" + i);
                case 1 -> one.drivers.markOffline("d" + i);
                default -> one.drivers.describe("d" + i, new Profile(null, null, 4.0, List.of("van")));
            }
        }
        for (double[] centre : CENTRES) {
            one.drivers.reserve(new Wish(centre[0], centre[1], 20_000, 5, null, Duration.ofMinutes(30), "tester"));
        }
        Eventually.until("PostgreSQL has it all", () -> {
            one.drivers.list(null, null, null, 1);
            return one.driving.lag().drivers() == 0;
        });
    }

    @AfterAll
    void close() {
        garage.close();
    }

    @Test
    void bothFindTheSameDriversInTheSameOrder() {
        PostgresSearch postgres = new PostgresSearch(one.database, HEARTBEAT);
        RedisSearch redis = new RedisSearch(one.redis, one.incarnations);
        List<Partition> regions = List.of(Atlas.DEFAULT, new Partition("fiji"), new Partition("north"));
        int found = 0;
        for (int i = 0; i < 200; i++) {
            double[] centre = CENTRES[i % CENTRES.length];
            Search search = new Search(
                    lat(centre[0]),
                    lon(centre[1]),
                    Math.pow(10, 1 + 4.6 * random.nextDouble()),
                    1 + random.nextInt(60),
                    i % 5 == 0 ? "van" : null,
                    Search.Order.DISTANCE);
            List<String> byRedis = shown(redis.nearest(regions, search));
            assertThat(shown(postgres.nearest(search, search.limit()).candidates()))
                    .as("%s", search)
                    .isEqualTo(byRedis);
            found += byRedis.size();
        }
        assertThat(found).isGreaterThan(1_000);
    }

    @Test
    void whoWasSilentBeforeTheNewestSignOfLifeIsNotFound() {
        one.drivers.locate(Fix.of("quiet", -40, 50));
        Eventually.until(
                "PostgreSQL has it",
                () -> new PostgresDrivers(one.database)
                        .find("quiet")
                        .filter(row -> row.last() != null)
                        .isPresent());
        Search search = new Search(-40, 50, 1_000, 10, null, Search.Order.DISTANCE);
        PostgresSearch postgres = new PostgresSearch(one.database, HEARTBEAT);
        assertThat(postgres.nearest(search, 10).candidates()).hasSize(1);

        one.database.useHandle(handle -> handle.execute("UPDATE drivers_drivers SET last_active_at ="
                + " (SELECT as_of FROM drivers_marks) - interval '10 min' WHERE id = 'quiet'"));
        assertThat(postgres.nearest(search, 10).candidates()).isEmpty();
    }

    /** Some kilometres around. */
    private double lat(double centre) {
        return Math.clamp(centre + random.nextGaussian() * 0.05, -Cell.MOST_LAT, Cell.MOST_LAT);
    }

    private double lon(double centre) {
        double lon = centre + random.nextGaussian() * 0.05;
        return lon > 180 ? lon - 360 : lon;
    }

    private static List<String> shown(List<Candidate> candidates) {
        return candidates.stream()
                .map(one -> one.id() + " at " + one.distance())
                .toList();
    }
}
