package dev.hotstate.traffic;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static dev.hotstate.traffic.TestFleet.START;
import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is counted, over all instances, on one Redis and on a Cluster alike. */
abstract class TrafficContract {
    private final RedisTarget target;
    private TestFleet fleet;
    private Traffic here;
    private Traffic there;

    TrafficContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void start() {
        target.flushAll();
        fleet = new TestFleet(target);
        here = fleet.instance("web-1");
        there = fleet.instance("web-2");
    }

    @AfterEach
    void end() {
        fleet.close();
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
    void windowsLookBackAsFarAsTheySay() {
        get(here, "/a", 200, 10);
        here.flush();

        assertThat(requestsByWindow()).containsExactly(1L, 1L, 1L, 1L);
        fleet.clock.advance(Duration.ofSeconds(70));
        assertThat(requestsByWindow()).containsExactly(0L, 1L, 1L, 1L);
        fleet.clock.advance(Duration.ofMinutes(15));
        assertThat(requestsByWindow()).containsExactly(0L, 0L, 1L, 1L);
        fleet.clock.advance(Duration.ofMinutes(50));
        assertThat(requestsByWindow()).containsExactly(0L, 0L, 0L, 1L);
        fleet.clock.advance(Duration.ofHours(25));
        assertThat(requestsByWindow()).containsExactly(0L, 0L, 0L, 0L);
    }

    @Test
    void hoursAreListedOldestFirst() {
        get(here, "/a", 200, 10);
        here.flush();
        fleet.clock.advance(Duration.ofHours(2));
        get(here, "/a", 200, 30);
        get(here, "/a", 500, 30);
        here.flush();

        List<Line> hours = here.hourly();
        assertThat(hours).hasSize(24);
        assertThat(hours.subList(21, 24))
                .extracting(Line::name, Line::requests, Line::errors)
                .containsExactly(
                        tuple("2026-01-01T10:00:00Z", 1L, 0L),
                        tuple("2026-01-01T11:00:00Z", 0L, 0L),
                        tuple("2026-01-01T12:00:00Z", 2L, 1L));
    }

    @Test
    void theFleetIsToldOverTime() {
        get(here, "/a", 200, 10);
        get(there, "/b", 500, 20);
        flushBoth();
        fleet.clock.advance(Duration.ofSeconds(20));
        get(here, "/a", 200, 30);
        here.flush();

        List<Line> minute = here.series(Window.MINUTE);
        assertThat(minute).hasSize(7);
        assertThat(minute.subList(4, 7))
                .extracting(Line::name, Line::requests, Line::errors, Line::avgMs)
                .containsExactly(
                        tuple("2026-01-01T10:17:20Z", 2L, 1L, 15.0),
                        tuple("2026-01-01T10:17:30Z", 0L, 0L, null),
                        tuple("2026-01-01T10:17:40Z", 1L, 0L, 30.0));
        assertThat(here.series(Window.QUARTER)).hasSize(16);
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
    void theHistoryOfAnHourHasARowForEachEndpointWithItsHistogram() {
        get(here, "/a", 200, 10);
        get(there, "/a", 200, 30);
        get(there, "/b", 500, 5);
        flushBoth();

        Instant hour = Instant.parse("2026-01-01T10:00:00Z");
        List<HourRow> rows = here.hours(hour);
        assertThat(rows)
                .extracting(HourRow::hour, HourRow::endpoint, HourRow::requests, HourRow::errors, HourRow::sumMicros)
                .containsExactlyInAnyOrder(
                        tuple(hour, "GET /a", 2L, 0L, 40_000L), tuple(hour, "GET /b", 1L, 1L, 5_000L));
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(Histogram.parse(row.histogram()).count()).isEqualTo(row.requests()));
        assertThat(here.hours(hour.plus(Duration.ofHours(1)))).isEmpty();
    }

    @Test
    void anEndpointIsToldInDetail() {
        get(here, "/a", 200, 10);
        fleet.clock.advance(Duration.ofMillis(5));
        get(here, "/a", 500, 20);
        here.flush();

        EndpointDetail detail = here.endpoint("GET", "/a").orElseThrow();
        assertThat(detail.name()).isEqualTo("GET /a");
        assertThat(detail.requests()).isEqualTo(2);
        assertThat(detail.errors()).isEqualTo(1);
        assertThat(detail.avgMs()).isEqualTo(15.0);
        assertThat(detail.windows())
                .hasSize(4)
                .allSatisfy((window, line) -> assertThat(line.requests()).isEqualTo(2));
        assertThat(detail.samples())
                .containsExactly(
                        new EndpointDetail.Sample(START.plusMillis(5), 20, 500),
                        new EndpointDetail.Sample(START, 10, 200));
        assertThat(here.endpoint("POST", "/a")).isEmpty();
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
    void speedIsThatOfASecondOverTheFleetOnceItIsClosed() {
        for (int i = 0; i < 30; i++) {
            get(here, "/a", 200, 1);
            get(there, "/a", 200, 1);
        }
        flushBoth();
        assertThat(here.summary().requests().speedPerSecond()).isZero();

        fleet.clock.advance(Duration.ofSeconds(1));
        get(here, "/a", 200, 1);
        flushBoth();
        fleet.clock.advance(Duration.ofSeconds(2));
        flushBoth();
        assertThat(here.summary().requests().speedPerSecond()).isEqualTo(60);
        assertThat(here.summary().requests().maxSpeedPerSecond()).isEqualTo(60);

        fleet.clock.advance(Duration.ofSeconds(1));
        flushBoth();
        assertThat(here.summary().requests().speedPerSecond()).isEqualTo(1);
        assertThat(here.summary().requests().maxSpeedPerSecond()).isEqualTo(60);
    }

    @Test
    void connectionsOfACrashedInstanceAreGoneWhenItsLeaseEnds() {
        open(here, 3);
        open(there, 4);
        flushBoth();
        assertThat(here.summary().connections()).isEqualTo(new Summary.Connections(7, 7));
        assertThat(here.summary().instances()).isEqualTo(2);

        fleet.clock.advance(Duration.ofSeconds(6));
        here.flush();

        assertThat(here.summary().connections()).isEqualTo(new Summary.Connections(3, 7));
        assertThat(here.summary().instances()).isEqualTo(1);
    }

    @Test
    void aPeakWithinASecondIsSeenAlthoughItIsOverWhenTheSecondIsFlushed() {
        open(here, 5);
        for (int i = 0; i < 5; i++) {
            here.recorder().ended();
        }
        here.flush();
        fleet.clock.advance(Duration.ofSeconds(1));
        here.flush();

        assertThat(here.summary().connections()).isEqualTo(new Summary.Connections(0, 5));
    }

    @Test
    void maximaBeginAnewWithTheFirstInstanceAfterNobodyWasThere() {
        open(here, 9);
        get(here, "/a", 200, 1);
        here.flush();
        fleet.clock.advance(Duration.ofSeconds(3));
        here.flush();
        assertThat(here.summary().requests().maxSpeedPerSecond()).isEqualTo(1);
        here.close();

        open(there, 2);
        there.flush();

        assertThat(there.summary().connections()).isEqualTo(new Summary.Connections(2, 2));
        assertThat(there.summary().requests().maxSpeedPerSecond()).isZero();
        assertThat(there.summary().requests().total()).isEqualTo(1);
    }

    @Test
    void anInstanceThatIsClosedLosesNothingAndIsGoneAtOnce() {
        open(here, 2);
        there.flush();
        get(here, "/a", 200, 1);

        here.close();

        assertThat(there.summary().requests().total()).isEqualTo(1);
        assertThat(there.summary().connections().current()).isZero();
        assertThat(there.summary().instances()).isEqualTo(1);
    }

    @Test
    void anotherApplicationReportsThroughThisOne() {
        Recorder reporter = here.recorder("php-1");
        reporter.record("GET", "/a", 200, Duration.ofMillis(5), START.minusSeconds(20));
        here.flush();

        assertThat(here.instances(Window.MINUTE)).extracting(Line::name).containsExactly("php-1");
        assertThat(here.endpoint("GET", "/a").orElseThrow().samples())
                .extracting(EndpointDetail.Sample::at)
                .containsExactly(START.minusSeconds(20));
        assertThat(here.summary().instances()).isEqualTo(2);
        assertThat(target)
                .key("it:traffic:{t}:requests:instance:php-1")
                .isString()
                .isEqualTo("1");

        fleet.clock.advance(Duration.ofSeconds(61));
        here.flush();
        assertThat(here.summary().instances()).isEqualTo(1);
    }

    @Test
    void aReportOfBeforeYesterdayOrOfTheFutureCountsNow() {
        here.recorder("php-1").record("GET", "/a", 200, Duration.ofMillis(5), START.minus(Duration.ofHours(25)));
        here.recorder("php-1").record("GET", "/a", 200, Duration.ofMillis(5), Instant.MAX);
        here.flush();

        assertThat(here.endpoints(Window.MINUTE)).extracting(Line::requests).containsExactly(2L);
    }

    @Test
    void aLateReportCountsInTheWindowsOfItsTimeAndInNoSpeed() {
        for (int again = 1; again <= 2; again++) {
            Recorder reporter = here.recorder("php-1");
            reporter.record("GET", "/a", 200, Duration.ofMillis(5), START.minusSeconds(300));
            reporter.record("GET", "/a", 200, Duration.ofMillis(5), START.minusSeconds(2400));
            reporter.record("GET", "/a", 500, Duration.ofMillis(5), START.minus(Duration.ofHours(5)));
            here.flush();
            // Long enough for what was told to be forgotten here: the next reports stand beside it.
            fleet.clock.advance(Duration.ofSeconds(90));
            here.flush();
        }

        assertThat(here.endpoints(Window.MINUTE)).isEmpty();
        assertThat(here.endpoints(Window.QUARTER)).extracting(Line::requests).containsExactly(2L);
        assertThat(here.endpoints(Window.HOUR)).extracting(Line::requests).containsExactly(4L);
        assertThat(here.endpoints(Window.DAY))
                .extracting(Line::requests, Line::errors)
                .containsExactly(tuple(6L, 2L));
        assertThat(here.summary().requests().total()).isEqualTo(6);
        assertThat(here.summary().requests().maxSpeedPerSecond()).isZero();
        assertThat(here.hourly()).filteredOn(hour -> hour.errors() == 2).hasSize(1);
    }

    @Test
    void reportersBeyondTheCapAreOther() {
        Traffic small = fleet.instance(TrafficOptions.of("web-3", fleet.clock).withReporters(2));
        for (int i = 0; i < 5; i++) {
            small.recorder("app-" + i).record("GET", "/a", 200, Duration.ofMillis(1));
        }
        small.flush();

        assertThat(small.instances(Window.MINUTE))
                .extracting(Line::name, Line::requests)
                .containsExactly(tuple("other", 3L), tuple("app-0", 1L), tuple("app-1", 1L));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> small.recorder("two words"))
                .withMessageContaining("instance must be");
    }

    @Test
    void aReporterThatWasSilentForAnHourGivesItsPlaceToAnother() {
        Traffic small = fleet.instance(TrafficOptions.of("web-3", fleet.clock).withReporters(1));
        small.recorder("app-0").record("GET", "/a", 200, Duration.ofMillis(1));
        small.flush();
        fleet.clock.advance(Duration.ofMinutes(61));
        small.flush();

        small.recorder("app-1").record("GET", "/a", 200, Duration.ofMillis(1));
        small.flush();

        assertThat(small.instances(Window.MINUTE)).extracting(Line::name).containsExactly("app-1");
    }

    @Test
    void endpointsBeyondTheCapOfTheApplicationAreOther() {
        Traffic first = fleet.instance(TrafficOptions.of("web-3", fleet.clock).withEndpoints(3));
        Traffic second = fleet.instance(TrafficOptions.of("web-4", fleet.clock).withEndpoints(3));
        get(first, "/a", 200, 1);
        get(first, "/b", 200, 1);
        first.flush();
        get(second, "/b", 200, 2);
        get(second, "/c", 200, 2);
        get(second, "/d", 404, 2);
        get(second, "/e", 200, 2);
        second.flush();
        get(second, "/d", 200, 2);
        second.flush();

        Map<String, Long> requests =
                first.endpoints(Window.MINUTE).stream().collect(Collectors.toMap(Line::name, Line::requests));
        assertThat(requests)
                .containsOnly(entry("GET /a", 1L), entry("GET /b", 2L), entry("GET /c", 1L), entry("other", 3L));
        assertThat(first.endpoint("GET", "other").orElseThrow().requests()).isEqualTo(3);
        assertThat(first.endpoint("GET", "other").orElseThrow().errors()).isEqualTo(1);
        assertThat(first.summary().requests().total()).isEqualTo(7);
    }

    @Test
    void twoHundredAndMoreEndpointsOfOneSecondAreFlushedInParts() {
        for (int i = 0; i < 250; i++) {
            get(here, "/route/" + i, 200, i);
        }
        here.flush();

        List<Line> lines = here.endpoints(Window.MINUTE);
        assertThat(lines).hasSize(201);
        assertThat(lines.getFirst()).extracting(Line::name, Line::requests).containsExactly("other", 50L);
        assertThat(here.summary().requests().total()).isEqualTo(250);
    }

    @Test
    void routesTooLongForAKeyAreToldByTheirFullName() {
        String route = "/customers/{customer}/invoices/{invoice}/lines/{line}";
        get(here, route, 200, 1);
        get(here, route + "/more", 200, 1);
        here.flush();

        assertThat(here.endpoints(Window.MINUTE))
                .extracting(Line::name)
                .containsExactly("GET " + route, "GET " + route + "/more");
        assertThat(here.endpoint("GET", route).orElseThrow().requests()).isEqualTo(1);
    }

    @Test
    void anInstanceWhoseClockIsFarOffCountsIntoTheFleetsSeconds() {
        Traffic skewed = fleet.instance(
                TrafficOptions.of("web-9", () -> fleet.clock.instant().minusSeconds(40)));
        get(skewed, "/a", 200, 1);
        skewed.flush();
        fleet.clock.advance(Duration.ofSeconds(3));
        here.flush();

        assertThat(here.summary().requests().speedPerSecond()).isEqualTo(1);
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

    private void flushBoth() {
        here.flush();
        there.flush();
    }

    private static void open(Traffic traffic, int connections) {
        for (int i = 0; i < connections; i++) {
            traffic.recorder().began();
        }
    }

    private List<Long> requestsByWindow() {
        return List.of(Window.values()).stream()
                .map(window -> here.endpoints(window).stream()
                        .mapToLong(Line::requests)
                        .sum())
                .toList();
    }
}
