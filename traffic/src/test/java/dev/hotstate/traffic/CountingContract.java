package dev.hotstate.traffic;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static dev.hotstate.traffic.TestFleet.START;
import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import dev.hotstate.core.KeyspaceCensus;
import dev.hotstate.core.KeyspaceCensus.Census;
import dev.hotstate.core.Lifetime;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is counted, and under which keys it stands. */
abstract class CountingContract extends FleetContract {
    CountingContract(RedisTarget target) {
        super(target);
    }

    @Test
    void beforeAnythingIsCountedEverythingIsZeroAndTimesAreUnknown() {
        Summary summary = here.summary();

        assertThat(summary.requests()).isEqualTo(new Summary.Requests(0, 0, 0, 0));
        assertThat(summary.connections()).isEqualTo(new Summary.Connections(0, 0));
        assertThat(summary.errorsByStatus()).isEmpty();
        assertThat(summary.responses()).isEqualTo(new Line("1h", 0, 0, null, null, null, null, null));
        assertThat(summary.instances()).isZero();
        assertThat(here.endpoints(Window.DAY)).isEmpty();
        assertThat(here.instances(Window.MINUTE)).isEmpty();
        assertThat(here.hourly()).hasSize(24).allMatch(hour -> hour.requests() == 0);
        assertThat(here.endpoint("GET", "/a")).isEmpty();
        assertThat(here.hours(START)).isEmpty();
    }

    @Test
    void twoInstancesAddUp() {
        get(here, "/a", 200, 10);
        get(here, "/a", 500, 20);
        get(there, "/a", 200, 30);
        get(there, "/b", 404, 40);
        get(there, "/b", 429, 1);
        get(there, "/b", 503, 1);
        flushBoth();

        Summary summary = here.summary();
        assertThat(summary.requests().total()).isEqualTo(6);
        assertThat(summary.requests().accepted()).isEqualTo(4);
        assertThat(summary.errors()).isEqualTo(4);
        assertThat(summary.errorsByStatus())
                .containsExactly(entry(404, 1L), entry(429, 1L), entry(500, 1L), entry(503, 1L));
        assertThat(summary.instances()).isEqualTo(2);
        assertThat(summary.responses().requests()).isEqualTo(6);
        assertThat(here.endpoints(Window.MINUTE))
                .extracting(Line::name, Line::requests, Line::errors, Line::avgMs)
                .containsExactly(tuple("GET /a", 3L, 1L, 20.0), tuple("GET /b", 3L, 3L, 14.0));
        assertThat(there.instances(Window.HOUR))
                .extracting(Line::name, Line::requests)
                .containsExactly(tuple("web-2", 4L), tuple("web-1", 2L));
    }

    @Test
    void theKeysAreThoseOfTheDocument() {
        get(here, "/api/users", 200, 15);
        get(here, "/api/users", 404, 30);
        here.flush();

        assertThat(target).key("it:traffic:{t}:requests:total").isString().isEqualTo("2");
        assertThat(target).key("it:traffic:{t}:requests:accepted").isString().isEqualTo("2");
        assertThat(target)
                .key("it:traffic:{t}:requests:endpoint:GET /api/users")
                .isString()
                .isEqualTo("2");
        assertThat(target)
                .key("it:traffic:{t}:requests:instance:web-1")
                .isString()
                .isEqualTo("2");
        assertThat(target)
                .key("it:traffic:{t}:requests:hourly:"
                        + Instant.parse("2026-01-01T10:00:00Z").toEpochMilli())
                .hasTtlBetween(Duration.ofHours(23), Duration.ofHours(24))
                .isString()
                .isEqualTo("2");
        assertThat(target).key("it:traffic:{t}:errors:total").isString().isEqualTo("1");
        assertThat(target)
                .key("it:traffic:{t}:errors:endpoint:GET /api/users")
                .isString()
                .isEqualTo("1");
        assertThat(target).key("it:traffic:{t}:errors:status:404").isString().isEqualTo("1");
        assertThat(target)
                .key("it:traffic:{t}:avg_response:GET /api/users")
                .isString()
                .isEqualTo("45");
        assertThat(target)
                .key("it:traffic:{t}:response_count:GET /api/users")
                .isString()
                .isEqualTo("2");
        assertThat(target)
                .key("it:traffic:{t}:response_times:GET /api/users")
                .isSortedSet()
                .hasSize(2)
                .containsValue((double) START.toEpochMilli());
    }

    @Test
    void everyKeyIsDeclaredAndHasItsLifetime() {
        get(here, "/a", 404, 10);
        here.recorder().began();
        there.recorder("reporter").record("GET", "/a/{id}/" + "x".repeat(100), 500, Duration.ofMillis(1));
        flushBoth();
        here.news();

        Census census = new KeyspaceCensus(fleet.connect(), fleet.clock, Duration.ofSeconds(30))
                .take()
                .orElseThrow();

        assertThat(census.undeclared().keys()).isZero();
        assertThat(TrafficKeys.SERVICE.families())
                .allSatisfy(family -> assertThat(census.families().get(family).keys())
                        .as(family.name())
                        .isPositive());
        assertThat(target)
                .everyKeyHasLifetime(
                        name -> !(TestFleet.KEYSPACE.find(name).orElseThrow().lifetime() instanceof Lifetime.Expires));
    }

    @Test
    void theCounterOfAnInstanceLivesAsLongAsTheInstance() {
        here.flush();

        assertThat(target)
                .key("it:traffic:{t}:requests:instance:web-1")
                .hasTtlBetween(Duration.ofHours(23), Duration.ofHours(24))
                .isString()
                .isEqualTo("0");
    }

    @Test
    void equalTimesOfOneMillisecondAreAllSamplesAndOnlyTheLastThousandStay() {
        for (int i = 0; i < 600; i++) {
            get(here, "/a", 200, 150);
            get(there, "/a", 200, 150);
        }
        flushBoth();
        assertThat(here.endpoint("GET", "/a").orElseThrow().samples()).hasSize(1_000);

        fleet.clock.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 1_500; i++) {
            get(here, "/a", 200, 7);
        }
        here.flush();

        assertThat(here.endpoint("GET", "/a").orElseThrow().samples())
                .hasSize(1_000)
                .allMatch(s -> s.ms() == 7);
    }

    @Test
    void aCallCarriesSoManySamplesAndSharesThemFairly() {
        for (int i = 0; i < 900; i++) {
            for (int route = 0; route < 8; route++) {
                get(here, "/busy/" + route, 200, i);
            }
        }
        get(here, "/quiet", 200, 1);
        here.flush();

        assertThat(samples("/quiet")).isEqualTo(1);
        List<Integer> busy =
                IntStream.range(0, 8).mapToObj(i -> samples("/busy/" + i)).toList();
        assertThat(busy).allMatch(samples -> samples == 124 || samples == 125);
        assertThat(busy.stream().mapToInt(Integer::intValue).sum() + 1).isEqualTo(Part.MOST_SAMPLES);
        assertThat(here.endpoint("GET", "/busy/0").orElseThrow().requests()).isEqualTo(900);
    }

    @Test
    void oneCallIsEnoughForFiftyEndpointsHoweverBusyTheyAre() {
        here.flush();
        double before = flushes();
        for (int i = 0; i < 20_000; i++) {
            get(here, "/route/" + i % Part.MOST_ENDPOINTS, 200, i % 1_000);
        }
        here.flush();

        assertThat(flushes() - before).isEqualTo(1);
    }

    @Test
    void theCheckpointHasAllTotals() {
        get(here, "/a", 200, 10);
        get(there, "/a", 503, 20);
        flushBoth();

        Checkpoint checkpoint = here.checkpoint();

        assertThat(checkpoint)
                .isEqualTo(new Checkpoint(
                        START,
                        2,
                        1,
                        1,
                        0,
                        2,
                        Map.of(503, 1L),
                        Map.of("GET /a", new Checkpoint.EndpointTotals(2, 1, 2, 30)),
                        Map.of("web-1", 1L, "web-2", 1L),
                        Map.of(Instant.parse("2026-01-01T10:00:00Z").toEpochMilli(), 2L)));
    }

    private int samples(String route) {
        return here.endpoint("GET", route).orElseThrow().samples().size();
    }

    /** How often the flush script was run by this test run. */
    private static double flushes() {
        return TestMeters.REGISTRY
                .get("hotstate.script.replies")
                .tags("script", "flush", "reply", "FLUSHED")
                .counter()
                .count();
    }
}
