package dev.hotstate.drivers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Partition;
import dev.hotstate.testkit.RedisServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/**
 * Wherever drivers are and whatever they do: a search finds what looking at all of them would, in the same order. Chances
 * are the same each time: libraries differ in the last bit of a sine, and once in some hundred million distances that would
 * make another millimetre of it.
 */
class SearchPropertiesIT {
    private static final double[] RADII = {2, 60, 900, 5_000, 40_000, 500_000};

    private static RedisServer server;
    private static Town town;

    @BeforeContainer
    static void open() {
        server = RedisServer.start();
        town = new Town(server);
    }

    @AfterContainer
    static void close() {
        town.close();
        server.close();
    }

    @Property(tries = 60, seed = "20261116", shrinking = ShrinkingMode.OFF)
    void aSearchFindsWhatLookingAtAllDriversWould(@ForAll long chance) {
        Random random = new Random(chance);
        town.clear();
        Search search = somewhere(random, null);
        people(random, search);
        Nearby.Effort little = new Nearby.Effort(1 + random.nextInt(150), 1 + random.nextInt(8));

        assertThat(town.found(search)).isEqualTo(town.expected(search));
        assertThat(town.found(search, little)).isEqualTo(town.expected(search));
        Search tagged =
                new Search(search.lat(), search.lon(), search.radius(), search.limit(), "van", Search.Order.DISTANCE);
        assertThat(town.found(tagged, little)).isEqualTo(town.expected(tagged));
    }

    private static Search somewhere(Random random, @Nullable String tag) {
        double[][] places = {
            {12.9716, 77.5946},
            {random.nextDouble(-85, 85), 180},
            {random.nextDouble(-85, 85), -180},
            {Cell.MOST_LAT, random.nextDouble(-180, 180)},
            {-84.9, random.nextDouble(-180, 180)},
            {0, 0},
            {45, 90},
            {random.nextDouble(-80, 80), random.nextDouble(-180, 180)}
        };
        double[] place = places[random.nextInt(places.length)];
        double radius = RADII[random.nextInt(RADII.length)] * random.nextDouble(0.5, 1);
        int limit = List.of(1, 10, 100, 1000).get(random.nextInt(4));
        return new Search(place[0], place[1], radius, limit, tag, Search.Order.DISTANCE);
    }

    private static void people(Random random, Search search) {
        int count = List.of(5, 60, 300, 900).get(random.nextInt(4));
        boolean onGrid = random.nextInt(3) == 0;
        Map<String, Long> silent = new HashMap<>();
        Map<Partition, Map<String, Long>> heard = Map.of(town.region, new HashMap<>(), town.other, new HashMap<>());
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = "ABab_-.".charAt(random.nextInt(7)) + Integer.toString(i);
            long cell = onGrid ? gridded(random, search) : scattered(random, search);
            if (random.nextInt(4) == 0) {
                silent.put(id, cell);
            } else {
                heard.get(random.nextInt(3) == 0 ? town.other : town.region).put(id, cell);
                ids.add(id);
            }
        }
        town.drive(town.region, silent);
        town.fallSilent();
        heard.forEach(town::drive);
        for (String id : ids.subList(0, Math.min(40, ids.size()))) {
            switch (random.nextInt(5)) {
                case 0 -> town.mark(id, Status.BUSY);
                case 1 -> town.mark(id, Status.OFFLINE);
                case 2 -> town.reserve(id);
                case 3 -> town.describe(id, 4.5, "van", "tall");
                default -> town.describe(id, 3, "bike");
            }
        }
    }

    /** Many at the same distance, and many on one spot. */
    private static long gridded(Random random, Search search) {
        double step = search.radius() / 111_000 / 2;
        return cell(search.lat() + random.nextInt(-3, 4) * step, search.lon() + random.nextInt(-3, 4) * step);
    }

    private static long scattered(Random random, Search search) {
        double wide = search.radius() / 111_000 * 0.8;
        double lat = search.lat() + random.nextGaussian() * wide;
        double narrow = Math.max(0.05, Math.cos(Math.toRadians(lat)));
        return cell(lat, search.lon() + random.nextGaussian() * wide / narrow);
    }

    private static long cell(double lat, double lon) {
        double wrapped = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
        return Cell.of(Math.clamp(lat, -Cell.MOST_LAT, Cell.MOST_LAT), Math.clamp(wrapped, -180, 180));
    }
}
