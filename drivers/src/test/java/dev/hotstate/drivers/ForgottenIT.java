package dev.hotstate.drivers;

import static dev.hotstate.drivers.Status.BUSY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Drivers that Redis let go of after a long silence, on a Redis of its own that may be emptied as well. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ForgottenIT {
    private final RedisServer redis = RedisServer.start();
    private Garage garage;
    private Garage.Instance hasty;
    private PostgresDrivers stored;

    @BeforeAll
    void start(PostgresDatabase postgres) {
        garage = new Garage(redis, postgres.jdbcUrl());
        hasty = garage.start(Garage.HASTY);
        stored = new PostgresDrivers(hasty.database);
    }

    @AfterAll
    void close() {
        garage.close();
        redis.close();
    }

    @Test
    void whatIsDecidedOfOneHoldsThroughARebuild() {
        hasty.drivers.locate(Fix.of("a1", 10, 10));
        forget("a1");
        hasty.drivers.markBusy("a1");

        redis.flushAll();

        assertThat(locate(Fix.of("a1", 10, 10)).status()).isEqualTo(BUSY);
    }

    @Test
    void oneThatIsDescribedIsInRedisAfterARebuild() {
        hasty.drivers.locate(Fix.of("b1", 11, 10));
        forget("b1");
        hasty.drivers.describe("b1", new Profile("Bo", null, 4.0, List.of("van")));

        assertThat(stored.find("b1").orElseThrow().forgotten()).isFalse();
    }

    @Test
    void itsSeqMayBeginAnewAndGoesOnAfterARebuild() {
        hasty.drivers.locate(seq("c1", 100));
        hasty.drivers.locate(seq("c2", 100));
        forget("c1");
        forget("c2");
        hasty.drivers.describe("c2", new Profile("Cy", null, 4.0, List.of()));

        for (String id : List.of("c1", "c2")) {
            assertThat(hasty.drivers.locate(seq(id, 1)).accepted()).isTrue();
            hasty.drivers.list(null, null, null, 1);
            assertThat(stored.find(id).orElseThrow().last().seq()).isEqualTo(1);
        }

        redis.flushAll();

        assertThat(locate(seq("c1", 2)).accepted()).isTrue();
        assertThat(locate(seq("c2", 2)).accepted()).isTrue();
    }

    @Test
    void itComesBackWithItsEpoch() {
        hasty.drivers.locate(Fix.of("d1", 13, 10));
        hasty.drivers.list(null, null, null, 1);
        // As if it had been in other regions, which are gone.
        hasty.database.useHandle(
                handle -> handle.execute("UPDATE drivers_drivers SET epoch = 5, came_from = 'gone' WHERE id = 'd1'"));
        forget("d1");

        hasty.drivers.locate(Fix.of("d1", 13, 10));

        RedisLook look = new RedisLook(hasty.redis, hasty.incarnations);
        Eventually.until(
                "Redis knows its epoch",
                () -> look.drivers(Atlas.DEFAULT, List.of("d1"))
                                .get("d1")
                                .line()
                                .epoch()
                        == 5);
    }

    private void forget(String id) {
        Eventually.until("Redis has forgotten " + id, () -> {
            hasty.driving.forgetOld();
            return stored.find(id).map(StoredDriver::forgotten).orElse(false);
        });
    }

    /** The first that is taken once Redis has its drivers again. */
    private Located locate(Fix fix) {
        Located[] located = new Located[1];
        Eventually.until("fixes are taken", () -> {
            located[0] = hasty.drivers.locate(fix);
            return true;
        });
        return located[0];
    }

    private static Fix seq(String id, long seq) {
        return new Fix(id, 12, 10, seq, null, null, null);
    }
}
