package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Due;
import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.RedisOutages.Outage;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.monitors.RedisPlaces.Known;
import dev.hotstate.monitors.RedisPlaces.Place;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an outage begins and ends, and what PostgreSQL must be told of it, on one Redis and on a cluster. */
abstract class OutagesContract {
    private final RedisTarget target;
    private Bench bench;

    OutagesContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void open() {
        bench = new Bench(target);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void withTheThresholdAnIncidentIsWantedUntilPostgresHasIt() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.failsForGood(web);
        bench.clock.advance(Duration.ofSeconds(60));

        Recorded second = bench.failsForGood(web);
        assertThat(second.state()).isEqualTo(State.DOWN);
        assertThat(second.untold()).isTrue();
        assertThat(bench.failsForGood(web).untold()).isTrue();

        Outages untold = bench.outages.of(bench.partition, "web");
        Outage current = untold.current();
        assertThat(current.startedAt()).isEqualTo(Bench.NOON);
        assertThat(current.failureCount()).isEqualTo(3);
        assertThat(current.error()).isEqualTo("certificate expired");
        assertThat(bench.outages.settled(bench.partition, "web", untold, OptionalLong.of(7)))
                .isFalse();

        assertThat(bench.failsForGood(web).untold()).isFalse();
        assertThat(bench.look(web).incident()).isEqualTo(7);
        assertThat(bench.outages.of(bench.partition, "web").none()).isTrue();
    }

    @Test
    void anOutageEndsAfterEnoughSuccessesAndWaitsForPostgres() {
        Monitor web = bench.down("web");
        bench.clock.advance(Duration.ofSeconds(60));

        Recorded first = bench.passes(web);
        Recorded second = bench.passes(web);

        assertThat(first.state()).isEqualTo(State.DOWN);
        assertThat(second.state()).isEqualTo(State.UP);
        assertThat(second.untold()).isTrue();
        Outages untold = bench.outages.of(bench.partition, "web");
        assertThat(untold.current()).isNull();
        assertThat(untold.ended()).singleElement().satisfies(outage -> {
            assertThat(outage.startedAt()).isEqualTo(Bench.NOON);
            assertThat(outage.endedAt()).isEqualTo(Bench.NOON.plusSeconds(60));
            assertThat(outage.failureCount()).isEqualTo(2);
            assertThat(outage.error()).isEqualTo("certificate expired");
        });
        assertThat(bench.passes(web).untold()).isTrue();

        assertThat(bench.outages.settled(bench.partition, "web", untold, OptionalLong.empty()))
                .isFalse();
        assertThat(bench.passes(web).untold()).isFalse();
    }

    @Test
    void aFailureBetweenSuccessesStartsTheirCountAnew() {
        Monitor web = bench.down("web");

        bench.passes(web);
        bench.failsForGood(web);

        assertThat(bench.passes(web).state()).isEqualTo(State.DOWN);
        assertThat(bench.passes(web).state()).isEqualTo(State.UP);
    }

    @Test
    void anotherOutageBeforePostgresHeardOfTheFirstIsAnotherOne() {
        Monitor web = bench.down("web");
        bench.clock.advance(Duration.ofSeconds(30));
        bench.passes(web);
        bench.passes(web);
        bench.clock.advance(Duration.ofSeconds(30));
        bench.failsForGood(web);
        bench.failsForGood(web);

        Outages untold = bench.outages.of(bench.partition, "web");

        assertThat(untold.ended()).extracting(Outage::startedAt).containsExactly(Bench.NOON);
        assertThat(untold.current().startedAt()).isEqualTo(Bench.NOON.plusSeconds(60));
    }

    @Test
    void whatCameWhilePostgresWasToldStaysUntold() {
        Monitor web = bench.down("web");
        Outages untold = bench.outages.of(bench.partition, "web");
        bench.passes(web);
        bench.passes(web);

        boolean more = bench.outages.settled(bench.partition, "web", untold, OptionalLong.of(7));

        assertThat(more).isTrue();
        assertThat(bench.outages.of(bench.partition, "web").ended()).hasSize(1);
    }

    @Test
    void whatNobodyToldIsTakenUpAfterAWhileByOneAtATime() {
        bench.down("web");
        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).isEmpty();

        bench.clock.advance(Duration.ofSeconds(6));

        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).containsExactly("web");
        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).isEmpty();
        bench.clock.advance(Duration.ofSeconds(6));
        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).containsExactly("web");
    }

    @Test
    void endedOutagesThatWaitAreBounded() {
        Monitor web = bench.placed("web", new Rhythm(Duration.ofSeconds(60), 0, Duration.ofSeconds(5), 1, 1));
        for (int i = 0; i < 200; i++) {
            bench.fails(web);
            assertThat(bench.passes(web).dropped()).isFalse();
            bench.clock.advance(Duration.ofSeconds(60));
        }
        bench.fails(web);

        assertThat(bench.passes(web).dropped()).isTrue();
        assertThat(bench.outages.of(bench.partition, "web").ended()).hasSize(200);
    }

    @Test
    void aRebuiltMonitorKnowsItsIncidentAndIsNotToldAgain() {
        Monitor web = Bench.monitor("web", Bench.MINUTELY);
        Known known = new Known(
                new Place(bench.definition(web), Due.in(Duration.ofSeconds(9)), false),
                Map.of(
                        "checked_at",
                        ms(Bench.NOON.minusSeconds(30)),
                        "ok",
                        "0",
                        "latency_ms",
                        "12",
                        "error",
                        "refused"),
                Map.of(
                        "failure_count",
                        "4",
                        "first_failure_at",
                        ms(Bench.NOON.minusSeconds(300)),
                        "wanted",
                        "1",
                        "alerted",
                        "1",
                        "incident_id",
                        "77"));

        bench.places.revive(bench.partition, bench.passes.of(bench.partition), List.of(known));

        assertThat(bench.look(web).state()).isEqualTo(State.DOWN);
        assertThat(bench.look(web).nextRunAt()).isEqualTo(Bench.NOON.plusSeconds(9));
        assertThat(bench.counts()).containsEntry(State.DOWN, 1L);
        assertThat(bench.failsForGood(web).untold()).isFalse();
        bench.passes(web);
        bench.passes(web);
        assertThat(bench.outages.of(bench.partition, "web").ended())
                .singleElement()
                .extracting(Outage::incident)
                .isEqualTo(OptionalLong.of(77));
    }

    @Test
    void anOpenIncidentThatRedisForgotIsRecalledAndEndedByTheNextSuccess() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        Map<String, String> fields =
                Map.of("failure_count", "2", "first_failure_at", ms(Bench.NOON), "wanted", "1", "incident_id", "9");

        assertThat(bench.outages.recall(bench.partition, "web", fields)).isTrue();
        assertThat(bench.outages.recall(bench.partition, "web", fields)).isFalse();
        bench.passes(web);
        bench.passes(web);

        assertThat(bench.outages.recall(bench.partition, "web", fields)).isFalse();
        assertThat(bench.outages.of(bench.partition, "web").ended())
                .singleElement()
                .extracting(Outage::incident)
                .isEqualTo(OptionalLong.of(9));
    }

    @Test
    void anOutageThatARebuildBroughtBackAfterItsEndIsForgotten() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.outages.recall(bench.partition, "web", closedIncident());

        assertThat(bench.outages.forget(bench.partition, "web", 8)).isFalse();
        assertThat(bench.outages.forget(bench.partition, "web", 9)).isTrue();

        assertThat(bench.look(web).failureCount()).isZero();
        assertThat(bench.outages.of(bench.partition, "web").none()).isTrue();
    }

    @Test
    void whatFailsAfterAnOutageThatIsClosedIsToldAsAnOutageOfItsOwn() {
        Monitor web = bench.placed("web", Bench.MINUTELY);
        bench.outages.recall(bench.partition, "web", closedIncident());
        bench.clock.advance(Duration.ofSeconds(60));
        assertThat(bench.failsForGood(web).untold()).isFalse();
        Instant failed = bench.look(web).lastFailureAt();

        assertThat(bench.outages.forget(bench.partition, "web", 9)).isTrue();

        assertThat(bench.outages.of(bench.partition, "web").current())
                .isNotNull()
                .extracting(Outage::startedAt)
                .isEqualTo(failed);
        assertThat(bench.outages.take(bench.partition, Duration.ofSeconds(5))).containsExactly("web");
        assertThat(bench.failsForGood(web).untold()).isTrue();
    }

    private static Map<String, String> closedIncident() {
        return Map.of(
                "failure_count",
                "2",
                "first_failure_at",
                ms(Bench.NOON),
                "last_failure_at",
                ms(Bench.NOON),
                "wanted",
                "1",
                "alerted",
                "1",
                "incident_id",
                "9");
    }

    private static String ms(Instant at) {
        return Long.toString(at.toEpochMilli());
    }
}
