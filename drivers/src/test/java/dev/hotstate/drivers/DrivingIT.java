package dev.hotstate.drivers;

import static dev.hotstate.drivers.Status.AVAILABLE;
import static dev.hotstate.drivers.Status.BUSY;
import static dev.hotstate.drivers.Status.OFFLINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.core.Slice;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two instances with one region; each test is in a place of its own. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DrivingIT {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private Garage garage;
    private Garage.Instance one;
    private Garage.Instance other;

    @BeforeAll
    void start(RedisServer redis, PostgresDatabase postgres) {
        garage = new Garage(redis, postgres.jdbcUrl());
        one = garage.start(Garage.PATIENT);
        other = garage.start(Garage.PATIENT);
    }

    @AfterAll
    void close() {
        garage.close();
    }

    @Test
    void aNewDriverIsFoundByItsFirstFixAndReachesPostgresBehind() {
        assertThat(one.drivers.locate(new Fix("a1", 10, 10, 7L, null, 90.0, 30.0)))
                .isEqualTo(new Located(AVAILABLE, "default", true));

        assertThat(found(other, 10, 10)).containsExactly("a1");
        Eventually.until("PostgreSQL has it", () -> stored("a1").last() != null);
        StoredDriver row = stored("a1");
        assertThat(row.status()).isEqualTo(AVAILABLE);
        assertThat(row.last().cell()).isEqualTo(Cell.of(10, 10));
        assertThat(row.last().seq()).isEqualTo(7);
        assertThat(row.last().heading()).isEqualTo(90);
        assertThat(other.drivers.find("a1").orElseThrow().seq()).isEqualTo(7);
    }

    @Test
    void anOlderFixChangesNothingInRedisNorInPostgres() {
        one.drivers.locate(new Fix("b1", 11, 10, 5L, null, null, null));
        assertThat(other.drivers.locate(new Fix("b1", 12, 10, 4L, null, null, null)))
                .isEqualTo(new Located(AVAILABLE, "default", false));
        assertThat(one.drivers
                        .locate(new Fix("b1", 12, 10, 5L, null, null, null))
                        .accepted())
                .isFalse();

        Eventually.until("PostgreSQL has it", () -> stored("b1").last() != null);
        // As an instance would that writes late.
        new PostgresFixes(one.database)
                .write(List.of(new Behind(
                        "b1",
                        "default",
                        1,
                        0,
                        AVAILABLE,
                        Instant.now(),
                        Instant.now(),
                        new StoredDriver.LastFix(Cell.of(12, 10), null, null, 4L, Instant.now()))));
        assertThat(stored("b1").last().cell()).isEqualTo(Cell.of(11, 10));
    }

    @Test
    void aSeqReachesPostgresThoughAFixWithoutOneFollowsAtOnce() {
        one.drivers.locateAll(List.of(new Fix("seqless", 13, 10, 10L, null, null, null)));
        one.drivers.locate(Fix.of("seqless", 13, 11));
        one.drivers.list(null, null, null, 1);

        assertThat(stored("seqless").last().seq()).isEqualTo(10);
        assertThat(stored("seqless").last().cell()).isEqualTo(Cell.of(13, 11));
        Instant now = Instant.now();
        Behind with = behind("b", now, 10L);
        Behind without = behind("b", now.plusSeconds(1), null);
        assertThat(with.with(without)).isEqualTo(without.with(with));
        assertThat(with.with(without).last().seq()).isEqualTo(10);
        assertThat(with.with(without).last().at()).isEqualTo(now.plusSeconds(1));
    }

    private static Behind behind(String id, Instant at, Long seq) {
        StoredDriver.LastFix last = new StoredDriver.LastFix(Cell.of(1, 1), null, null, seq, at);
        return new Behind(id, "default", 1, 0, AVAILABLE, Instant.EPOCH, at, last);
    }

    @Test
    void aFixFromTheFutureIsRefusedByItsField() {
        Instant ahead = Instant.now().plus(Duration.ofHours(1));
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> one.drivers.locate(new Fix("c1", 12, 20, null, ahead, null, null)))
                .satisfies(refused ->
                        assertThat(refused.flaws().getFirst().field()).isEqualTo("at"));
        assertThat(one.drivers.find("c1")).isEmpty();
    }

    @Test
    void aBatchKeepsTheNewestOfEachDriverAndTellsWhatDoesNotFit() {
        Instant now = Instant.now();
        List<Fix> fixes = new ArrayList<>();
        IntStream.range(0, 1_200).forEach(i -> fixes.add(at("d" + i, 20 + i * 1e-5, 20, now)));
        fixes.add(at("d0", 21, 20, now.minusSeconds(1)));
        fixes.add(at("d1", 20, 20.00001, now.plusSeconds(1)));
        fixes.add(at("d-late", 20, 20, now.plus(Duration.ofHours(1))));

        LocatedAll all = one.drivers.locateAll(fixes);

        assertThat(all.accepted()).isEqualTo(1_200);
        assertThat(all.ignored()).isEqualTo(2);
        assertThat(all.refused()).extracting(LocatedAll.Refused::index).containsExactly(1_202);
        assertThat(other.drivers.find("d0").orElseThrow().lat()).isCloseTo(20, within());
        assertThat(other.drivers.find("d1").orElseThrow().lon()).isCloseTo(20.00001, within());
        LocatedAll again = other.drivers.locateAll(fixes.subList(0, 1_200));
        assertThat(again.accepted()).isZero();
        assertThat(again.ignored()).isEqualTo(1_200);
    }

    @Test
    void aFixFromTheFutureDoesNotDisplaceAGoodOneOfTheSameBatch() {
        Instant now = Instant.now();
        List<Fix> fixes = new ArrayList<>();
        fixes.add(at("fut", 22, 20, now));
        fixes.add(at("fut", 22, 21, now.plusSeconds(1)));
        IntStream.range(0, 30).forEach(i -> fixes.add(at("fut", 22, 25, now.plusSeconds(3_600 + i))));

        LocatedAll all = one.drivers.locateAll(fixes);

        assertThat(all.accepted()).isEqualTo(1);
        assertThat(all.ignored()).isEqualTo(1);
        assertThat(all.refused())
                .extracting(LocatedAll.Refused::index)
                .containsExactlyElementsOf(IntStream.range(2, 32).boxed().toList());
        assertThat(other.drivers.find("fut").orElseThrow().lon()).isCloseTo(21, within());
    }

    @Test
    void theGreatestSeqIsTakenAmongOthers() {
        LocatedAll all = one.drivers.locateAll(
                List.of(Fix.of("great-1", 23, 20), new Fix("great-2", 23, 20, (1L << 53) - 1, null, null, null)));

        assertThat(all).isEqualTo(new LocatedAll(2, 0, List.of()));
    }

    @Test
    void aStatusThatWasAskedForIsInPostgresAndFixesDoNotUndoIt() {
        one.drivers.locate(Fix.of("e1", 30, 30));
        assertThat(other.drivers.markBusy("e1").status()).isEqualTo(BUSY);
        assertThat(stored("e1").status()).isEqualTo(BUSY);
        assertThat(one.drivers.locate(Fix.of("e1", 30, 30.001)).status()).isEqualTo(BUSY);
        assertThat(found(one, 30, 30)).isEmpty();

        assertThat(one.drivers.markOffline("e1").status()).isEqualTo(OFFLINE);
        assertThat(one.drivers.locate(Fix.of("e1", 30, 30)).status()).isEqualTo(OFFLINE);

        assertThat(one.drivers.markAvailable("e1").status()).isEqualTo(AVAILABLE);
        assertThat(found(other, 30, 30)).containsExactly("e1");
        Eventually.until("Redis is known to have heard of it", () -> synced("e1"));
        assertThat(stored("e1").version()).isEqualTo(3);
    }

    @Test
    void anUnknownDriverCannotBeMarkedButCanBeDescribed() {
        assertThatExceptionOfType(UnknownDriverException.class).isThrownBy(() -> one.drivers.markBusy("f1"));

        DriverView described = one.drivers.describe("f1", new Profile("Ada", "van", 4.5, List.of("van")));
        assertThat(described.status()).isEqualTo(OFFLINE);
        assertThat(one.drivers.locate(Fix.of("f1", 31, 30)).status()).isEqualTo(AVAILABLE);
        assertThat(tagged("van")).containsExactly("f1");

        other.drivers.describe("f1", new Profile("Ada", "bike", 4.5, List.of()));
        assertThat(tagged("van")).isEmpty();
        assertThat(found(one, 31, 30)).containsExactly("f1");
        assertThat(one.drivers.find("f1").orElseThrow().profile().vehicle()).isEqualTo("bike");
    }

    @Test
    void whatRedisHasNotHeardOfItIsToldByWhoeverComesBy() {
        one.drivers.locate(Fix.of("g1", 32, 30));
        Eventually.until("PostgreSQL has it", () -> stored("g1").last() != null);
        // As an instance that dies between the two.
        new PostgresTruth(one.database).mark("g1", BUSY);

        Eventually.until("Redis knows that it is busy", () -> found(one, 32, 30).isEmpty());
        assertThat(other.drivers.locate(Fix.of("g1", 32, 30)).status()).isEqualTo(BUSY);
        Eventually.until("that is known", () -> synced("g1"));
    }

    @Test
    void aListIsByIdAndFiltered() {
        IntStream.range(0, 5).forEach(i -> one.drivers.locate(Fix.of("list-" + i, 33, 30)));
        one.drivers.markBusy("list-3");

        Slice<DriverView> first = one.drivers.list(null, "list-", null, 2);
        assertThat(first.items()).extracting(DriverView::id).containsExactly("list-0", "list-1");
        Slice<DriverView> rest = one.drivers.list(null, "list-", first.next(), 10);
        assertThat(rest.items()).extracting(DriverView::id).containsExactly("list-2", "list-3", "list-4");
        assertThat(rest.next()).isNull();
        assertThat(one.drivers.list(BUSY, "LIST-", null, 10).items())
                .extracting(DriverView::id)
                .containsExactly("list-3");
    }

    @Test
    void aReservedDriverIsFoundByNobodyUntilItIsLetGo() {
        IntStream.range(0, 3).forEach(i -> one.drivers.locate(Fix.of("h" + i, 34, 30 + i * 0.001)));

        List<Reservation> reserved = one.drivers.reserve(wish(34, 30, 2, LEASE));
        assertThat(reserved).extracting(Reservation::driver).containsExactly("h0", "h1");
        assertThat(found(other, 34, 30)).containsExactly("h2");
        assertThat(one.drivers.locate(Fix.of("h0", 34, 30)).status()).isEqualTo(AVAILABLE);
        assertThat(found(other, 34, 30)).containsExactly("h2");

        other.drivers.confirm(reserved.get(0).id(), reserved.get(0).fence());
        other.drivers.confirm(reserved.get(0).id(), reserved.get(0).fence());
        assertThat(one.drivers.find("h0").orElseThrow().status()).isEqualTo(BUSY);
        other.drivers.cancel(reserved.get(1).id(), reserved.get(1).fence());
        other.drivers.cancel(reserved.get(1).id(), reserved.get(1).fence());
        assertThat(found(one, 34, 30)).containsExactly("h1", "h2");
        assertThatExceptionOfType(StaleReservationException.class)
                .isThrownBy(() ->
                        one.drivers.cancel(reserved.get(0).id(), reserved.get(0).fence()));
        assertThatExceptionOfType(StaleReservationException.class)
                .isThrownBy(() -> one.drivers.confirm(
                        reserved.get(1).id(), reserved.get(1).fence()));
        assertThatExceptionOfType(UnknownDriverException.class).isThrownBy(() -> one.drivers.confirm("none", "1-1"));
    }

    @Test
    void aFenceOfAnotherReservationIsRefused() {
        one.drivers.locate(Fix.of("i1", 35, 30));
        Reservation first = one.drivers.reserve(wish(35, 30, 1, LEASE)).getFirst();
        one.drivers.cancel(first.id(), first.fence());
        Reservation second = other.drivers.reserve(wish(35, 30, 1, LEASE)).getFirst();

        assertThat(second.fence()).isNotEqualTo(first.fence());
        assertThatExceptionOfType(StaleReservationException.class)
                .isThrownBy(() -> one.drivers.confirm(second.id(), first.fence()));
        one.drivers.confirm(second.id(), second.fence());
    }

    @Test
    void aReservationThatNobodyConfirmsLapsesAndItsDriverIsFoundAgain() {
        one.drivers.locate(Fix.of("j1", 36, 30));
        Reservation reserved =
                one.drivers.reserve(wish(36, 30, 1, Duration.ofSeconds(1))).getFirst();
        assertThat(found(one, 36, 30)).isEmpty();

        Eventually.until("it is found again", () -> found(other, 36, 30).equals(List.of("j1")));
        assertThatExceptionOfType(StaleReservationException.class)
                .isThrownBy(() -> one.drivers.confirm(reserved.id(), reserved.fence()));
    }

    @Test
    void aTakeThatNeverReachedPostgresIsLetGoWhenItsLeaseEnds() {
        one.drivers.locate(Fix.of("k1", 37, 30));
        // As an instance that dies before it has committed.
        new RedisTakes(one.redis, one.incarnations)
                .take(Atlas.DEFAULT, wish(37, 30, 1, Duration.ofSeconds(1)), 1, List.of("nobody-knows"));
        assertThat(found(one, 37, 30)).isEmpty();

        Eventually.until("it is found again", () -> found(other, 37, 30).equals(List.of("k1")));
    }

    @Test
    void whoIsBusyInPostgresIsNotReservedThoughRedisThinksItFree() {
        one.drivers.locate(Fix.of("l1", 38, 30));
        one.drivers.locate(Fix.of("l2", 38, 30.001));
        one.drivers.list(null, null, null, 1);
        new PostgresTruth(one.database).mark("l1", BUSY);

        assertThat(other.drivers.reserve(wish(38, 30, 1, LEASE)))
                .extracting(Reservation::driver)
                .containsExactly("l2");
        assertThat(found(one, 38, 30)).isEmpty();
    }

    @Test
    void busyOrOfflineByRequestEndsAReservation() {
        one.drivers.locate(Fix.of("m1", 39, 30));
        Reservation reserved = one.drivers.reserve(wish(39, 30, 1, LEASE)).getFirst();

        assertThat(one.drivers.markOffline("m1").reservedUntil()).isNull();

        assertThatExceptionOfType(StaleReservationException.class)
                .isThrownBy(() -> one.drivers.confirm(reserved.id(), reserved.fence()));
        one.drivers.markAvailable("m1");
        assertThat(found(one, 39, 30)).containsExactly("m1");
    }

    @Test
    void scoresAreExplainedAndOrderTheAnswer() {
        one.drivers.locate(Fix.of("n1", 40, 30));
        one.drivers.locate(Fix.of("n2", 40, 30.001));
        one.drivers.describe("n2", new Profile(null, null, 5.0, List.of()));

        Found found = one.drivers.findAvailable(new Search(40, 30, 1_000, 2, null, Search.Order.SCORE));
        assertThat(found.items()).extracting(item -> item.candidate().id()).containsExactly("n2", "n1");
        Scored best = found.items().getFirst();
        assertThat(best.why()).containsOnlyKeys("distance", "idle", "rating");
        assertThat(best.why().values().stream().mapToDouble(part -> part).sum()).isEqualTo(best.score());
    }

    @Test
    void aScoringOfOnesOwnOrdersTheAnswer() {
        // Whoever is farther away, as nobody would want.
        Scoring farthest = (candidate, search) ->
                new Scored(candidate, candidate.distance(), Map.of("distance", candidate.distance()));
        Garage.Instance own = garage.start(new Driving.Options(
                Garage.PATIENT.heartbeat(),
                farthest,
                Garage.PATIENT.writeBehind(),
                Garage.PATIENT.sweep(),
                Garage.PATIENT.forget()));
        IntStream.range(0, 3).forEach(i -> one.drivers.locate(Fix.of("own" + i, 42, 30 + i * 0.001)));

        Found found = own.drivers.findAvailable(new Search(42, 30, 1_000, 2, null, Search.Order.SCORE));

        assertThat(found.items()).extracting(item -> item.candidate().id()).containsExactly("own2", "own1");
        assertThat(found.items()).allSatisfy(item -> assertThat(item.why()).containsOnlyKeys("distance"));
        own.close();
    }

    @Test
    void theSummaryCountsWhatThereIs() {
        Summary before = one.drivers.summary();
        one.drivers.locate(Fix.of("o1", 41, 30));
        one.drivers.locate(Fix.of("o2", 41, 30));
        one.drivers.markBusy("o2");
        Summary after = other.drivers.summary();

        assertThat(after.all().available()).isGreaterThan(before.all().available());
        assertThat(after.all().busy()).isGreaterThan(before.all().busy());
        assertThat(after.regions()).extracting(Summary.OfRegion::region).contains("default");
    }

    @Test
    void theMapShowsEachOrThoseOfACellTogether() {
        IntStream.range(0, 3).forEach(i -> one.drivers.locate(Fix.of("p" + i, 50, 50 + i * 0.1)));
        one.drivers.markBusy("p1");
        one.drivers.list(null, null, null, 1);

        assertThat(one.drivers.map(new Box(49, 49, 51, 51), 8))
                .extracting(MapMark::id)
                .containsExactly("p0", "p1", "p2");
        List<MapMark> together = new PostgresMap(one.database).marks(new Box(49, 49, 51, 51), 5, 2);
        assertThat(together)
                .singleElement()
                .satisfies(mark -> assertThat(mark.counts()).isEqualTo(new Summary.Counts(2, 1, 0, 0)));
    }

    private static Fix at(String id, double lat, double lon, Instant at) {
        return new Fix(id, lat, lon, null, at, null, null);
    }

    private static Wish wish(double lat, double lon, int count, Duration lease) {
        return new Wish(lat, lon, 5_000, count, null, lease, "tester");
    }

    private List<String> tagged(String tag) {
        return one.found(new Search(31, 30, 1_000, 10, tag, Search.Order.DISTANCE));
    }

    /** As Redis says. */
    private static List<String> found(Garage.Instance instance, double lat, double lon) {
        return instance.found(new Search(lat, lon, 5_000, 50, null, Search.Order.DISTANCE));
    }

    private StoredDriver stored(String id) {
        return new PostgresDrivers(one.database).find(id).orElseThrow();
    }

    private boolean synced(String id) {
        return one.database.withHandle(
                handle -> handle.createQuery("SELECT synced = version FROM drivers_drivers WHERE id = :id")
                        .bind("id", id)
                        .mapTo(Boolean.class)
                        .one());
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.data.Offset.offset(1e-5);
    }
}
