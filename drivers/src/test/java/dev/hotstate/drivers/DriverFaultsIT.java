package dev.hotstate.drivers;

import static dev.hotstate.drivers.Status.AVAILABLE;
import static dev.hotstate.drivers.Status.BUSY;
import static dev.hotstate.drivers.Status.OFFLINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.HotstateException;
import dev.hotstate.store.StoreUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Servers of its own, to be emptied, killed and paused under two instances. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class DriverFaultsIT {
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final RedisServer redis = RedisServer.start();
    private final PostgresServer postgres = PostgresServer.start();
    private final Garage garage = new Garage(redis, postgres.jdbcUrl());
    private final Garage.Instance one = garage.start(Garage.PATIENT);
    private final Garage.Instance other = garage.start(Garage.PATIENT);

    @AfterAll
    void close() {
        garage.close();
        redis.close();
        postgres.close();
    }

    @Test
    void afterRedisWasEmptiedWhatWasPromisedHoldsAndOthersComeBackWithTheirNextFix() {
        for (int i = 0; i < 5; i++) {
            one.drivers.locate(seq("a" + i, 10, 10 + i * 0.001, 9));
        }
        one.drivers.describe("a0", new Profile("Ada", null, 5.0, List.of("van")));
        Reservation reserved = one.drivers.reserve(wish(10, 10, 1)).getFirst();
        assertThat(reserved.driver()).isEqualTo("a0");
        one.drivers.markBusy("a1");
        one.drivers.markOffline("a2");
        written();

        redis.flushAll();

        assertThat(one.drivers.summary().all().busy())
                .as("counted though Redis is empty")
                .isPositive();
        Eventually.until(
                "nobody is available yet",
                () -> other.found(near(10, 10)).isEmpty()
                        && other.drivers.summary().all().busy() >= 1);
        assertThat(status("a1")).isEqualTo(BUSY);
        assertThat(status("a2")).isEqualTo(OFFLINE);
        assertThat(status("a3")).isEqualTo(OFFLINE);
        Eventually.until("fixes are taken again", () -> other.drivers.locate(seq("a3", 10, 10.003, 8)) != null);
        assertThat(other.found(near(10, 10))).as("an older fix").isEmpty();
        for (int i = 0; i < 5; i++) {
            other.drivers.locate(seq("a" + i, 10, 10 + i * 0.001, 10));
        }
        assertThat(other.found(near(10, 10))).containsExactly("a3", "a4");
        other.drivers.confirm(reserved.id(), reserved.fence());
        assertThat(status("a0")).isEqualTo(BUSY);
        other.drivers.markAvailable("a0");
        assertThat(other.found(new Search(10, 10, 5_000, 9, "van", Search.Order.DISTANCE)))
                .containsExactly("a0");
    }

    @Test
    void whileRedisIsAwayPostgresAnswersAndDecides() {
        for (int i = 0; i < 4; i++) {
            one.drivers.locate(Fix.of("b" + i, 20, 10 + i * 0.001));
        }
        Reservation reserved = one.drivers.reserve(wish(20, 10, 1)).getFirst();
        written();
        List<Scored> before = one.drivers.findAvailable(near(20, 10)).items();

        redis.kill();
        try {
            Found found = one.drivers.findAvailable(near(20, 10));
            assertThat(found.source()).isEqualTo(Found.Source.POSTGRES);
            assertThat(found.items())
                    .extracting(
                            item -> item.candidate().id(),
                            item -> item.candidate().distance())
                    .isEqualTo(before.stream()
                            .map(item -> org.assertj.core.groups.Tuple.tuple(
                                    item.candidate().id(), item.candidate().distance()))
                            .toList());
            assertThat(found.staleBy()).isPositive();
            assertThat(other.drivers.markBusy("b1").status()).isEqualTo(BUSY);
            other.drivers.confirm(reserved.id(), reserved.fence());
            assertThat(one.drivers.find("b0").orElseThrow().status()).isEqualTo(BUSY);
            assertThat(one.drivers.findAvailable(near(20, 10)).items())
                    .extracting(item -> item.candidate().id())
                    .containsExactly("b2", "b3");
            assertThat(one.drivers.summary().all().busy()).isGreaterThanOrEqualTo(2);
            assertThatExceptionOfType(HotstateException.class).isThrownBy(() -> one.drivers.reserve(wish(20, 10, 1)));
            assertThatExceptionOfType(HotstateException.class)
                    .isThrownBy(() -> one.drivers.locate(Fix.of("b2", 20, 10)));
        } finally {
            redis.restartEmpty();
        }

        Eventually.until("fixes are taken again", () -> one.drivers.locate(Fix.of("b2", 20, 10.002)) != null);
        assertThat(one.drivers.locate(Fix.of("b1", 20, 10.001)).status()).isEqualTo(BUSY);
        assertThat(one.drivers.locate(Fix.of("b0", 20, 10)).status()).isEqualTo(BUSY);
        assertThat(other.found(near(20, 10))).containsExactly("b2");
    }

    @Test
    void whilePostgresIsAwayFixesAndSearchesGoOnAndArriveLater() {
        Eventually.until("both take fixes", () -> {
            other.drivers.locate(Fix.of("c1", 30, 10));
            return one.drivers.locate(Fix.of("c1", 30, 10)) != null;
        });
        written();
        postgres.pause();
        try {
            assertThat(one.drivers.locate(Fix.of("c1", 30, 10.001)).accepted()).isTrue();
            assertThat(other.drivers.locate(Fix.of("c2", 30, 10.002)).status()).isEqualTo(AVAILABLE);
            assertThat(other.found(near(30, 10))).containsExactly("c1", "c2");
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> one.drivers.markBusy("c1"));
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> one.drivers.reserve(wish(30, 10, 1)));
            assertThat(one.driving.lag().drivers() + other.driving.lag().drivers())
                    .isPositive();
        } finally {
            postgres.resume();
        }

        PostgresDrivers stored = new PostgresDrivers(one.database);
        Eventually.until(
                "PostgreSQL has them",
                () -> stored.find("c2").isPresent()
                        && stored.find("c1").orElseThrow().last().cell() == Cell.of(30, 10.001));
        // What was asked of PostgreSQL while it did not answer may have been done all the same.
        one.drivers.markAvailable("c1");
        Eventually.until("whoever was taken is let go", () -> {
            one.drivers.locate(Fix.of("c1", 30, 10.001));
            return status("c1") == AVAILABLE;
        });
    }

    @Test
    void aThousandPeopleNeverShareADriverAndNoneIsLostThoughRedisIsEmptied() {
        Crowd crowd = new Crowd(List.of(one, other), 200);

        crowd.run(1_000, redis::flushAll);

        assertThat(crowd.twice()).isEmpty();
        assertThat(crowd.confirmed()).hasSize(200);
        assertThat(Crowd.overlaps(one.database)).isZero();
        Eventually.until(
                "Redis has them all BUSY",
                () -> one.drivers.list(BUSY, "driver-", null, 1_000).items().stream()
                        .allMatch(driver -> status(driver.id()) == BUSY));
        assertThat(one.drivers.list(BUSY, "driver-", null, 1_000).items()).hasSize(200);
        assertThat(one.found(new Search(10, 10, 50_000, 500, null, Search.Order.DISTANCE)))
                .noneMatch(id -> id.startsWith("driver-"));
    }

    private void written() {
        Eventually.until("PostgreSQL has it all", () -> {
            one.drivers.list(null, null, null, 1);
            other.drivers.list(null, null, null, 1);
            return one.driving.lag().drivers() + other.driving.lag().drivers() == 0;
        });
    }

    private Status status(String id) {
        return other.drivers.find(id).orElseThrow().status();
    }

    private static Fix seq(String id, double lat, double lon, long seq) {
        return new Fix(id, lat, lon, seq, null, null, null);
    }

    private static Search near(double lat, double lon) {
        return new Search(lat, lon, 5_000, 50, null, Search.Order.DISTANCE);
    }

    private static Wish wish(double lat, double lon, int count) {
        return new Wish(lat, lon, 5_000, count, null, LEASE, "tester");
    }
}
