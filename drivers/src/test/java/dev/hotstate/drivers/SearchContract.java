package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is found, on one Redis and on a cluster. */
abstract class SearchContract {
    private static final Nearby.Effort LITTLE = new Nearby.Effort(120, 4);

    private final RedisTarget target;
    private Town town;

    SearchContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void open() {
        town = new Town(target);
    }

    @AfterEach
    void close() {
        town.close();
    }

    @Test
    void theNearestComesFirstWithAllThatIsKnownOfIt() {
        town.drive("far", 12.99, 77.60);
        town.drive("near", 12.9717, 77.5946);
        town.describe("near", 4.5, "van");
        town.clock.advance(Duration.ofSeconds(20));

        List<Candidate> found = search().nearest(List.of(town.region), around(5_000, 10, null));

        assertThat(found).extracting(Candidate::id).containsExactly("near", "far");
        Candidate near = found.getFirst();
        assertThat(near.rating()).isEqualTo(4.5);
        assertThat(near.idle()).isEqualTo(Duration.ofSeconds(20));
        assertThat(near.seenAt()).isEqualTo(town.clock.instant().minusSeconds(20));
        assertThat(near.distance()).isEqualTo(Cell.distance(12.9716, 77.5946, near.lat(), near.lon()));
        assertThat(found.getLast().rating()).isNull();
    }

    @Test
    void whoeverIsBusyOfflineReservedOrSilentIsNotFound() {
        town.drive("silent", 12.9716, 77.5946);
        town.fallSilent();
        for (String id : List.of("busy", "offline", "reserved", "free")) {
            town.drive(id, 12.9717, 77.5946);
        }
        town.mark("busy", Status.BUSY);
        town.mark("offline", Status.OFFLINE);
        town.reserve("reserved");

        assertThat(town.found(around(5_000, 10, null))).extracting(Town.At::id).containsExactly("free");
    }

    @Test
    void aHeartbeatCountsUntilItsEndAndNoLonger() {
        town.drive("d1", 12.9716, 77.5946);

        town.clock.advance(Town.HEARTBEAT.minusMillis(1));
        assertThat(town.found(around(100, 1, null))).hasSize(1);

        town.clock.advance(Duration.ofMillis(1));
        assertThat(town.found(around(100, 1, null))).isEmpty();
    }

    @Test
    void aTagFindsThoseThatHaveItAndOneThatNobodyHasFindsNobody() {
        town.drive("car", 12.9716, 77.5946);
        town.drive("van", 12.98, 77.5946);
        town.describe("van", 4, "van", "tall");

        assertThat(town.found(around(5_000, 10, "tall")))
                .extracting(Town.At::id)
                .containsExactly("van");
        assertThat(town.found(around(5_000, 10, "boat"))).isEmpty();
    }

    @Test
    void theRadiusIsWithin() {
        town.drive("d1", 12.98, 77.5946);
        double distance = town.expected(around(5_000, 1, null)).getFirst().distance();

        assertThat(town.found(around(distance, 1, null))).hasSize(1);
        assertThat(town.found(around(distance - 0.001, 1, null))).isEmpty();
    }

    @Test
    void thoseOnOneSpotAreFoundByTheirIdsAlsoInParts() {
        Map<String, Long> crowd = new TreeMap<>();
        for (int i = 0; i < 700; i++) {
            crowd.put("crowd" + i, Cell.of(12.972, 77.5946));
        }
        town.drive(town.region, crowd);
        town.drive("B", 12.972, 77.5946);
        town.drive("a", 12.972, 77.5946);
        town.drive("near", 12.9719, 77.5946);
        town.drive("after", 12.9722, 77.5946);
        Search all = around(5_000, 1_000, null);

        assertThat(town.found(all)).isEqualTo(town.expected(all)).hasSize(704);
        assertThat(town.found(all, LITTLE)).isEqualTo(town.expected(all));
        assertThat(town.found(all)).extracting(Town.At::id).startsWith("near", "B", "a", "crowd0", "crowd1", "crowd10");
    }

    @Test
    void aCallThatHasDoneEnoughTellsWhereTheNextGoesOn() {
        Map<String, Long> many = new TreeMap<>();
        for (int i = 0; i < 400; i++) {
            many.put("d" + i, Cell.of(12.95 + i * 0.0001, 77.57 + i % 20 * 0.002));
        }
        town.drive(town.region, many);
        RedisSearch little = new RedisSearch(town.redis, town.passes, LITTLE);
        Search search = around(5_000, 1_000, null);

        RedisSearch.Part first = little.search(town.region, search, null);
        RedisSearch.Part second = little.search(town.region, search, first.next());

        assertThat(first.next()).isNotNull();
        assertThat(first.items()).hasSizeLessThan(200);
        assertThat(second.items()).doesNotContainAnyElementsOf(first.items());
        assertThat(town.found(search, LITTLE)).isEqualTo(town.expected(search));
    }

    @Test
    void severalRegionsAreMergedAndADriverThatIsInTwoCountsOnce() {
        town.drive(town.other, Map.of("moving", Cell.of(12.9720, 77.5946)));
        town.drive(town.region, Map.of("moving", Cell.of(12.9718, 77.5946), "here", Cell.of(12.9719, 77.5946)));
        town.drive(town.other, Map.of("there", Cell.of(12.9717, 77.5946), "beyond", Cell.of(12.9730, 77.5946)));

        assertThat(town.found(around(5_000, 3, null)))
                .extracting(Town.At::id)
                .containsExactly("there", "moving", "here");
        assertThat(town.found(around(5_000, 10, null))).hasSize(4);
    }

    @Test
    void aRegionThatIsNotWholeIsNotSearched() {
        RedisSearch stale = new RedisSearch(town.redis, Passes.always(new Pass.Ready(2)));

        assertThatThrownBy(() -> stale.search(town.region, around(5_000, 1, null), null))
                .isInstanceOf(RebuildingException.class);
    }

    private RedisSearch search() {
        return new RedisSearch(town.redis, town.passes);
    }

    private static Search around(double radius, int limit, String tag) {
        return new Search(12.9716, 77.5946, radius, limit, tag, Search.Order.DISTANCE);
    }
}
