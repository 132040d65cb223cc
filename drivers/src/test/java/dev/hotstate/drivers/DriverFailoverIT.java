package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** On a cluster of its own, whose master fails over to a replica that has not heard of the last reservations. */
@ExtendWith(Testkit.class)
@Timeout(180)
class DriverFailoverIT {

    @Test
    void aFailoverThatForgetsReservationsGivesNobodyADriverThatIsHeld(PostgresDatabase postgres) {
        try (RedisCluster cluster = RedisCluster.start();
                Garage garage = new Garage(cluster, postgres.jdbcUrl())) {
            Garage.Instance one = garage.start(Garage.PATIENT);
            Garage.Instance other = garage.start(Garage.PATIENT);
            List<Fix> fixes = List.of(Fix.of("a1", 50, 10), Fix.of("a2", 50, 10.001));
            one.drivers.locateAll(fixes);
            one.drivers.list(null, null, null, 1);

            cluster.failOverToLaggingReplica(
                    cluster.masterOf("{default}"),
                    () -> assertThat(one.drivers.reserve(
                                    new Wish(50, 10, 5_000, 1, null, Duration.ofMinutes(5), "first")))
                            .extracting(Reservation::driver)
                            .containsExactly("a1"));

            Eventually.until(
                    "fixes are taken again", () -> one.drivers.locateAll(fixes).accepted() > 0);
            List<Reservation> second = new ArrayList<>();
            Eventually.until(
                    "the other takes reservations",
                    () -> second.addAll(
                            other.drivers.reserve(new Wish(50, 10, 5_000, 2, null, Duration.ofMinutes(5), "second"))));
            assertThat(second).extracting(Reservation::driver).containsExactly("a2");

            cluster.heal();
            Crowd crowd = new Crowd(List.of(one, other), 200);
            crowd.run(1_000, () -> cluster.failOver(cluster.masterOf("{default}")));
            assertThat(crowd.twice()).isEmpty();
            assertThat(crowd.confirmed()).hasSize(200);
            assertThat(Crowd.overlaps(one.database)).isZero();
        }
    }
}
