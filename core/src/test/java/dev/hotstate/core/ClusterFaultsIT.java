package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster that loses a master under load. */
class ClusterFaultsIT {
    private final RedisCluster cluster = RedisCluster.start();

    @AfterEach
    void end() {
        cluster.close();
    }

    @Test
    void aLostMasterStopsItsOwnPartitionsAloneAndTheyReturnWithItsReplica() {
        List<RedisServer> masters = cluster.masters();
        // A busy machine may take longer than a quarter of a second; that would not be the lost master's doing.
        RedisOptions patient = Sample.quick(cluster.uri()).withTimeout(Duration.ofSeconds(1), Duration.ofSeconds(2));
        try (Redis redis = Sample.connect(patient);
                Load lost = Load.on(redis, 50, partitionOf(masters.get(0)));
                Load second = Load.on(redis, 20, partitionOf(masters.get(1)));
                Load third = Load.on(redis, 20, partitionOf(masters.get(2)))) {
            lost.awaitAnswers(200);
            second.awaitAnswers(200);
            third.awaitAnswers(200);

            masters.get(0).kill();
            Eventually.until(
                    "its circuit is open", () -> redis.usage().circuits().containsValue("open"));
            lost.awaitFailures(200);
            second.awaitAnswers(200);
            third.awaitAnswers(200);

            lost.awaitAnswers(500);
            Eventually.until("all circuits are closed", () -> redis.usage().allClosed());
            assertThat(lost.stop().slowest()).isLessThan(Duration.ofSeconds(5));
            assertThat(second.stop().failures()).isZero();
            assertThat(third.stop().failures()).isZero();
            assertThat(redis.usage().inFlight()).isZero();
        }
    }

    @Test
    void eventsFollowTheirStreamsToAnotherNode() {
        try (Redis redis = Sample.connect(Sample.quick(cluster.uri()));
                Events events = new Events(redis, List.of("jobs"));
                Subscription subscription = events.subscribe(Set.of("jobs"), Optional.empty())) {
            events.publish("jobs", "before", "{}");
            assertThat(EventsContract.next(subscription).name()).isEqualTo("jobs.before");

            cluster.failOver(cluster.masterOf("events"));
            Eventually.until("events are published again", () -> {
                try {
                    events.publish("jobs", "after", "{}");
                    return true;
                } catch (RedisUnavailableException notYet) {
                    return false;
                }
            });

            Event next = EventsContract.next(subscription);
            while (next.name().equals(Event.RESET)) {
                next = EventsContract.next(subscription);
            }
            assertThat(next.name()).isEqualTo("jobs.after");
        }
    }

    private String partitionOf(RedisServer master) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "n" + i)
                .filter(partition -> cluster.masterOf(partition) == master)
                .findFirst()
                .orElseThrow();
    }
}
