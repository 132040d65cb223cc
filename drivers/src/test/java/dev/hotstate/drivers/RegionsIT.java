package dev.hotstate.drivers;

import static dev.hotstate.drivers.Status.AVAILABLE;
import static dev.hotstate.drivers.Status.BUSY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.core.Partition;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two instances, and two regions side by side that meet at longitude 10; the default one has the rest of the world. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class RegionsIT {
    private static final Partition WEST = new Partition("west");
    private static final Partition EAST = new Partition("east");

    private RedisServer redis;
    private Garage garage;
    private Garage.Instance one;
    private Garage.Instance other;
    private RedisFixes fixes;
    private RedisLook look;
    private PostgresDrivers stored;

    @BeforeAll
    void start(RedisServer redis, PostgresDatabase postgres) {
        this.redis = redis;
        garage = new Garage(redis, postgres.jdbcUrl());
        one = garage.start(Garage.PATIENT);
        other = garage.start(Garage.PATIENT);
        fixes = new RedisFixes(one.redis, one.incarnations, Duration.ofMinutes(10));
        look = new RedisLook(one.redis, one.incarnations);
        stored = new PostgresDrivers(one.database);
        one.drivers.locate(Fix.of("early", 5, 5));
        one.drivers.regions().put(Region.box("west", 0, 0, 10, 10));
        one.drivers.regions().put(Region.box("east", 0, 10, 10, 20));
        Eventually.until(
                "both know of the regions",
                () -> other.drivers.regions().list().size() == 3 && other.incarnations.allReady());
    }

    @AfterAll
    void close() {
        garage.close();
    }

    @Test
    void aDriverIsInTheRegionWhoseShapeItIsIn() {
        assertThat(one.drivers.locate(Fix.of("a1", 5, 5)).region()).isEqualTo("west");
        assertThat(other.drivers.locate(Fix.of("a2", 5, 15)).region()).isEqualTo("east");
        assertThat(other.drivers.locate(Fix.of("a3", -5, 15)).region()).isEqualTo("default");
        assertThat(where("a1")).containsExactly("west");
        assertThat(where("a2")).containsExactly("east");
        assertThat(where("a3")).containsExactly("default");
    }

    @Test
    void oneThatCameBeforeTheRegionsMovesWithItsNextFix() {
        assertThat(where("early")).isSubsetOf("default", "west").hasSize(1);
        assertThat(other.drivers.locate(Fix.of("early", 5, 5)).region()).isEqualTo("west");
        assertThat(where("early")).containsExactly("west");
    }

    @Test
    void aDriverThatCrossesABorderIsInOneRegionAndKeepsItsOrder() {
        one.drivers.locate(seq("b1", 5, 9.99, 1));
        one.drivers.describe("b1", new Profile("B", null, 4.0, List.of("van")));
        assertThat(other.drivers.locate(seq("b1", 5, 10.01, 3))).isEqualTo(new Located(AVAILABLE, "east", true));
        assertThat(where("b1")).containsExactly("east");

        // A late one, to the region that it has left.
        assertThat(one.drivers.locate(seq("b1", 5, 9.99, 2)).accepted()).isFalse();
        assertThat(where("b1")).containsExactly("east");
        assertThat(one.drivers.find("b1").orElseThrow().profile().tags()).containsExactly("van");
        assertThat(one.found(new Search(5, 10, 5_000, 10, "van", Search.Order.DISTANCE)))
                .containsExactly("b1");

        assertThat(one.drivers.locate(seq("b1", 5, 9.99, 4)).region()).isEqualTo("west");
        assertThat(where("b1")).containsExactly("west");
        assertThat(stored.find("b1").orElseThrow().epoch()).isEqualTo(3);
    }

    @Test
    void aBusyOrReservedDriverStaysWhereItIsHeldUntilItIsFree() {
        one.drivers.locate(Fix.of("c1", 6, 9.99));
        one.drivers.markBusy("c1");
        assertThat(one.drivers.locate(Fix.of("c1", 6, 10.01))).isEqualTo(new Located(BUSY, "west", true));
        assertThat(one.drivers.locate(Fix.of("c1", 6, 10.02))).isEqualTo(new Located(BUSY, "west", true));
        assertThat(other.drivers.find("c1").orElseThrow().lon()).isGreaterThan(10.015);
        one.drivers.markAvailable("c1");
        assertThat(found(6, 10)).containsExactly("c1");
        Eventually.until(
                "it moves once it is free",
                () -> one.drivers.locate(Fix.of("c1", 6, 10.02)).region().equals("east"));
        assertThat(where("c1")).containsExactly("east");

        Reservation reserved = one.drivers.reserve(wish(6, 10, 1)).getFirst();
        assertThat(reserved.driver()).isEqualTo("c1");
        assertThat(one.drivers.locate(Fix.of("c1", 6, 9.98)).region()).isEqualTo("east");
        one.drivers.cancel(reserved.id(), reserved.fence());
        Eventually.until(
                "it moves once it is free",
                () -> one.drivers.locate(Fix.of("c1", 6, 9.98)).region().equals("west"));
        assertThat(where("c1")).containsExactly("west");
    }

    @Test
    void aSearchAcrossABorderIsMergedByDistance() {
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            double lon = 10 + (i % 2 == 0 ? 1 : -1) * i * 0.001;
            one.drivers.locate(Fix.of("d" + i, 7, lon));
            expected.add("d" + i);
        }
        assertThat(found(7, 10)).containsExactlyElementsOf(expected);
        assertThat(other.found(new Search(7, 10, 5_000, 3, null, Search.Order.DISTANCE)))
                .containsExactly("d1", "d2", "d3");

        assertThat(other.drivers.reserve(wish(7, 10, 4)))
                .extracting(Reservation::driver)
                .containsExactly("d1", "d2", "d3", "d4");
        assertThat(found(7, 10)).containsExactly("d5", "d6");
    }

    @Test
    void asManyAsThereAreDriversGetOneEachThoughTheyMeetAtEachRegionsLast() {
        List<Fix> there = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            there.add(Fix.of("n-w" + i, 0.001 * i, 10 - 0.001 * i));
            there.add(Fix.of("n-e" + i, 0.001 * i, 10 + 0.001 * i));
            there.add(Fix.of("n-d" + i, -0.001 * i, 10));
        }
        one.drivers.locateAll(there);
        for (int round = 0; round < 10; round++) {
            List<java.util.concurrent.Callable<List<Reservation>>> people = new ArrayList<>();
            for (int i = 0; i < there.size(); i++) {
                Garage.Instance instance = i % 2 == 0 ? one : other;
                people.add(() -> instance.drivers.reserve(wish(0, 10, 1)));
            }
            List<Reservation> all =
                    allAtOnce(people).stream().flatMap(List::stream).toList();
            assertThat(all)
                    .as("round %d", round)
                    .extracting(Reservation::driver)
                    .doesNotHaveDuplicates();
            assertThat(all).as("round %d", round).hasSize(there.size());
            all.forEach(reserved -> one.drivers.cancel(reserved.id(), reserved.fence()));
        }
    }

    private static <T> List<T> allAtOnce(List<java.util.concurrent.Callable<T>> calls) {
        try (var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> answers = new ArrayList<>();
            for (var answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        } catch (InterruptedException | java.util.concurrent.ExecutionException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void aMoveThatWasCutShortAfterTheDriverLeftIsCompletedByItsNextFix() {
        one.drivers.locate(seq("e1", 8, 9.99, 5));
        leave("e1", 8, 10.01, 6, WEST, "east");
        assertThat(where("e1")).isEmpty();

        assertThat(other.drivers.locate(seq("e1", 8, 10.01, 7)).region()).isEqualTo("east");
        assertThat(where("e1")).containsExactly("east");
        assertThat(stored.find("e1").orElseThrow().region()).isEqualTo("east");
    }

    @Test
    void aMoveThatWasCutShortIsCompletedAlsoByAFixFromWhereItWas() {
        one.drivers.locate(seq("f1", 8, 9.99, 5));
        leave("f1", 8, 10.01, 6, WEST, "east");

        assertThat(other.drivers.locate(seq("f1", 8, 9.98, 7)).region()).isEqualTo("west");
        assertThat(where("f1")).containsExactly("west");
        assertThat(stored.find("f1").orElseThrow().epoch()).isEqualTo(3);
    }

    @Test
    void aMoveThatWasCutShortAfterPostgresKnewOfItKeepsTheOrder() {
        one.drivers.locate(seq("g1", 8, 9.99, 5));
        Leaving leaving = leave("g1", 8, 10.01, 6, WEST, "east");
        stored.move("g1", "west", "east", leaving.epoch());

        // Older than the last one before it left.
        assertThat(other.drivers.locate(seq("g1", 8, 10.02, 4)).accepted()).isFalse();
        assertThat(where("g1")).containsExactly("east");
        assertThat(other.drivers.locate(seq("g1", 8, 10.02, 7)).accepted()).isTrue();
    }

    @Test
    void aMoveThatNobodyTakesUpIsCompletedByTheSweep() {
        one.drivers.locate(seq("h1", 8, 9.99, 5));
        one.drivers.locate(seq("h2", 8, 9.99, 5));
        leave("h1", 8, 10.01, 6, WEST, "east");
        Leaving second = leave("h2", 8, 10.01, 6, WEST, "east");
        stored.move("h2", "west", "east", second.epoch());

        Eventually.until(
                "they have arrived",
                () -> where("h1").equals(List.of("east")) && where("h2").equals(List.of("east")));
        assertThat(stored.find("h1").orElseThrow().region()).isEqualTo("east");
        assertThat(look.drivers(EAST, List.of("h1")).get("h1").line().status()).isEqualTo(AVAILABLE);
    }

    @Test
    void aDriverWhoseRowWasMadeAndNothingElseEntersWithItsNextFix() {
        stored.enter(Map.of("i1", "west"));
        assertThat(other.drivers.locate(Fix.of("i1", 9, 10.01)).region()).isEqualTo("east");
        assertThat(where("i1")).containsExactly("east");
    }

    @Test
    void aStatusThatWasDecidedDuringAMoveFollowsTheDriver() {
        one.drivers.locate(seq("j1", 8.5, 9.99, 1));
        leave("j1", 8.5, 10.01, 2, WEST, "east");
        assertThat(other.drivers.markBusy("j1").status()).isEqualTo(BUSY);

        Eventually.until(
                "it is busy where it is",
                () -> where("j1").equals(List.of("east"))
                        && look.drivers(EAST, List.of("j1")).get("j1").line().status() == BUSY);
        assertThat(found(8.5, 10)).isEmpty();
    }

    @Test
    void manyThatGoToAndFroAtOnceAreEachInOneRegion() {
        List<String> ids = IntStream.range(0, 40).mapToObj(i -> "k" + i).toList();
        Map<String, Double> last = new HashMap<>();
        List<java.util.concurrent.Callable<Boolean>> calls = new ArrayList<>();
        Random random = new Random(7);
        for (int seq = 1; seq <= 10; seq++) {
            List<Fix> batch = new ArrayList<>();
            for (String id : ids) {
                double lon = 10 + (random.nextDouble() - 0.5);
                last.put(id, lon);
                batch.add(seq(id, 3, lon, seq));
            }
            Garage.Instance instance = seq % 2 == 0 ? one : other;
            calls.add(() -> {
                Eventually.until("they are taken", () -> instance.drivers.locateAll(batch) != null);
                return true;
            });
        }
        Chunks.together(calls);

        for (String id : ids) {
            Eventually.until(id + " is in one region", () -> where(id).size() == 1);
            DriverView view = one.drivers.find(id).orElseThrow();
            assertThat(view.seq()).isEqualTo(10L);
            assertThat(view.region()).isEqualTo(last.get(id) < 10 ? "west" : "east");
            assertThat(where(id)).containsExactly(view.region());
        }
    }

    @Test
    void anInstanceThatMeetsARegionItHasNotHeardOfLooksAtOnce() {
        one.drivers.regions().put(Region.box("zone1", 40, 0, 50, 10));
        assertThat(one.drivers.locate(Fix.of("m1", 45, 5)).region()).isEqualTo("zone1");
        assertThat(other.drivers.locate(Fix.of("m1", 45, 5))).isEqualTo(new Located(AVAILABLE, "zone1", true));
    }

    @Test
    void aDeletedRegionEmptiesAndIsGone() {
        one.drivers.regions().put(Region.box("south", -20, 0, -10, 10));
        Eventually.until(
                "the other knows of it",
                () -> other.drivers.regions().find("south").isPresent() && other.incarnations.allReady());
        one.drivers.locate(Fix.of("l1", -15, 5));
        other.drivers.locate(Fix.of("l2", -15, 5.001));
        one.drivers.locate(Fix.of("l3", -15, 5.002));
        one.drivers.markBusy("l2");
        assertThat(where("l1")).containsExactly("south");

        assertThat(other.drivers.regions().delete("south")).isTrue();
        assertThat(other.drivers.regions().delete("south")).isFalse();
        assertThat(other.drivers.regions().find("south")).isEmpty();

        Eventually.until(
                "who is free has left",
                () -> where("l1").equals(List.of("default")) && where("l3").equals(List.of("default")));
        assertThat(where("l2")).containsExactly("south");
        assertThat(found(-15, 5)).containsExactly("l1", "l3");
        one.drivers.markAvailable("l2");
        Eventually.until("who was busy follows", () -> where("l2").equals(List.of("default")));
        assertThat(found(-15, 5)).containsExactly("l1", "l2", "l3");
        Eventually.until(
                "the region is gone",
                () -> one.database.withHandle(handle -> handle.createQuery(
                                "SELECT NOT EXISTS (SELECT FROM drivers_regions WHERE id = 'south')")
                        .mapTo(Boolean.class)
                        .one()));
        assertThat(redis.keys()).noneMatch(key -> key.contains("{south}:drivers:") && !key.endsWith(":sweeper"));
    }

    @Test
    void aBatchIsTakenButForARegionThatIsBeingRebuilt() {
        one.drivers.regions().put(Region.box("north", 60, 0, 70, 10));
        List<Fix> batch = List.of(Fix.of("o1", 5.5, 5), Fix.of("o2", 65, 5), Fix.of("o3", 5.5, 15));
        Eventually.until("all are in", () -> one.drivers.locateAll(batch).accepted() == 3);
        List<LocatedAll> answers = new ArrayList<>();

        Eventually.until("the north is not whole", () -> {
            redis.commands().del("dev:hotstate:{north}:incarnation");
            answers.add(one.drivers.locateAll(batch));
            return !answers.getLast().refused().isEmpty();
        });

        LocatedAll part = answers.getLast();
        assertThat(part.accepted()).isEqualTo(2);
        assertThat(part.ignored()).isZero();
        assertThat(part.refused()).singleElement().satisfies(refused -> {
            assertThat(refused.index()).isEqualTo(1);
            assertThat(refused.flaw().message()).contains("was not taken").contains("north");
        });
        assertThatExceptionOfType(HotstateException.class).isThrownBy(() -> {
            redis.commands().del("dev:hotstate:{north}:incarnation");
            one.drivers.locateAll(batch.subList(1, 2));
        });
        Eventually.until("it is whole", () -> one.drivers.locateAll(batch).accepted() == 3);
    }

    @Test
    void whatIsNoRegionIsRefusedByItsField() {
        assertRefused("id", () -> Region.box("m0", 0, 0, 1, 1));
        assertRefused("id", () -> Region.box("j1ab", 0, 0, 1, 1));
        assertRefused("id", () -> Region.box("default", 0, 0, 1, 1));
        assertRefused("id", () -> Region.box("x", 0, 0, 1, 1));
        assertRefused("id", () -> Region.box("seventeen-letters", 0, 0, 1, 1));
        assertRefused("shape", () -> new Region("flat", List.of(new Region.Point(0, 0), new Region.Point(1, 1))));
        assertThat(one.drivers.regions().delete("default")).isFalse();
        assertThat(one.drivers.regions().delete("nowhere")).isFalse();
    }

    private void assertRefused(String field, java.util.function.Supplier<Region> region) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> one.drivers.regions().put(region.get()))
                .satisfies(refused ->
                        assertThat(refused.flaws().getFirst().field()).isEqualTo(field));
    }

    /** As an instance that dies right after. */
    private Leaving leave(String id, double lat, double lon, long seq, Partition from, String to) {
        Parting parting = fixes.leave(from, CellFix.of(seq(id, lat, lon, seq)), to);
        return ((Parting.Left) parting).leaving();
    }

    private static Fix seq(String id, double lat, double lon, long seq) {
        return new Fix(id, lat, lon, seq, null, null, null);
    }

    private static Wish wish(double lat, double lon, int count) {
        return new Wish(lat, lon, 5_000, count, null, Duration.ofMinutes(1), "tester");
    }

    private List<String> found(double lat, double lon) {
        return other.found(new Search(lat, lon, 5_000, 50, null, Search.Order.DISTANCE));
    }

    /** In which regions Redis has it. */
    private List<String> where(String id) {
        List<String> regions = new ArrayList<>();
        for (String region : List.of("default", "west", "east", "south")) {
            if (one.drivers.regions().list().stream()
                            .anyMatch(known -> known.id().equals(region))
                    || region.equals("south") && id.startsWith("l")) {
                if (look.drivers(new Partition(region), List.of(id)).containsKey(id)) {
                    regions.add(region);
                }
            }
        }
        return regions;
    }
}
