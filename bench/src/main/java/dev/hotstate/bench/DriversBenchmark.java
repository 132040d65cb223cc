package dev.hotstate.bench;

import dev.hotstate.bench.drill.Report;
import dev.hotstate.bench.drivers.City;
import dev.hotstate.bench.drivers.DriverFleet;
import dev.hotstate.bench.drivers.DriverFleet.Noise;
import dev.hotstate.bench.drivers.DriverSite;
import dev.hotstate.bench.drivers.PlainGeo;
import dev.hotstate.bench.drivers.PostgresGis;
import dev.hotstate.drivers.Found;
import dev.hotstate.drivers.Profile;
import dev.hotstate.drivers.Search;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The ten nearest free drivers of a city, of whom four in ten have fallen silent a moment ago; what it takes to keep up with
 * where they are, and to keep them.
 */
final class DriversBenchmark implements Benchmark {
    private static final Metric REDIS_TIME = new Metric("redis_time", "us/search");
    private static final Metric REDIS_CPU = new Metric("redis_cpu", "us/search");
    private static final Metric TIME = new Metric("time", "us/search");
    private static final Metric FOUND = new Metric("found", "of 10");

    private static final double RADIUS = 5_000;
    private static final int LIMIT = 10;
    private static final String RARE = "rare";
    private static final IntPredicate SILENT = driver -> driver % 10 < 4;
    static final Set<String> SCRIPTS = Set.of("eval", "evalsha");

    @Override
    public String name() {
        return "drivers";
    }

    @Override
    public String about() {
        return "the nearest 10 within 5 km beside GEOSEARCH and PostGIS (goals at 100k: a thirtieth of GEOSEARCH's Redis"
                + " time and never short; at 1M less than 4 times that; a rare tag within 10 ms; updates at 0.6 of raw speed)";
    }

    @Override
    public boolean onlyWhenNamed() {
        return true;
    }

    @Override
    public void run(Run run) {
        PostgresServer postgres = run.closedLater(PostgresServer.start());
        // Its server takes longer to start than all else of a quick run.
        PostgresGis gis = run.quick() ? null : gis(run);
        Map<String, Integer> sizes = sizes(run.quick());
        sizes.values().removeIf(drivers -> drivers > Math.max(run.largest(), 10_000));
        searches(run, postgres, gis, "uniform", City.uniform(), sizes);
        searches(run, postgres, gis, "skewed", City.skewed(), sizes);
        DriverUpdates.compare(run, postgres, run.quick() ? 2_000 : 100_000);
    }

    private static Map<String, Integer> sizes(boolean quick) {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        if (quick) {
            sizes.put("1k", 1_000);
            sizes.put("3k", 3_000);
        } else {
            sizes.put("10k", 10_000);
            sizes.put("100k", 100_000);
            sizes.put("1M", 1_000_000);
        }
        return sizes;
    }

    private static @Nullable PostgresGis gis(Run run) {
        try {
            return run.closedLater(PostgresGis.start());
        } catch (UncheckedIOException missing) {
            run.say("without its peer: " + missing.getMessage());
            return null;
        }
    }

    /** One fleet, on either side and, where it can be had, in PostGIS. */
    private record Stage(
            String name, City city, int drivers, RedisServer redis, PostgresDatabase database, PlainGeo plain) {}

    private static void searches(
            Run run,
            PostgresServer postgres,
            @Nullable PostgresGis gis,
            String kind,
            City city,
            Map<String, Integer> sizes) {
        List<Stage> stages = new ArrayList<>();
        sizes.forEach((size, drivers) -> {
            RedisServer redis = run.redis();
            PlainGeo plain = run.closedLater(new PlainGeo(redis.uri()));
            Stage stage = new Stage(size + " " + kind, city, drivers, redis, postgres.freshDatabase(), plain);
            fill(run, stage, gis);
            stages.add(stage);
        });
        List<Subject> subjects = new ArrayList<>();
        List<DriverSite> sites = new ArrayList<>();
        try {
            for (Stage stage : stages) {
                DriverSite site = new DriverSite(stage.redis(), stage.database());
                sites.add(site);
                subjects.addAll(subjects(stage, site, gis, stages));
            }
            stages.forEach(stage -> stage.plain().silence(stage.drivers(), SILENT));
            run.compare(subjects);
        } finally {
            sites.forEach(DriverSite::close);
        }
    }

    private static void fill(Run run, Stage stage, @Nullable PostgresGis gis) {
        Report report = run.report();
        DriverFleet fleet = fleet(stage.city(), stage.drivers(), Noise.NONE);
        try (DriverSite site = new DriverSite(stage.redis(), stage.database())) {
            long empty = memory(stage.redis());
            site.load(fleet);
            long ours = memory(stage.redis());
            stage.plain().load(fleet);
            long both = memory(stage.redis());
            report.measured("hotstate, " + stage.name(), "redis_memory", "bytes/driver", each(ours - empty, stage));
            report.measured(
                    "document's layout, " + stage.name(), "redis_memory", "bytes/driver", each(both - ours, stage));
            site.awaitWritten();
            rareTag(report, stage, site);
        }
        if (gis != null) {
            gis.load(table(stage), fleet, SILENT);
        }
    }

    /** One driver of all has it; whoever asks finds it, and nothing holds Redis for long. */
    private static void rareTag(Report report, Stage stage, DriverSite site) {
        site.drivers().describe(DriverFleet.id(stage.drivers() / 2), new Profile(null, null, null, List.of(RARE)));
        Random random = new Random(7);
        SlowLog log = SlowLog.begin(stage.redis());
        for (int i = 0; i < 200; i++) {
            City.Place place = stage.city().asked(random);
            Search search = new Search(place.lat(), place.lon(), 50_000, LIMIT, RARE, Search.Order.DISTANCE);
            if (site.drivers().findAvailable(search).items().size() != 1) {
                throw new IllegalStateException("the one driver with the tag was not found");
            }
        }
        report.measured(
                "hotstate, one driver with the tag, " + stage.name(), "longest_hold", "us", log.longest("EVALSHA"));
    }

    private static List<Subject> subjects(Stage stage, DriverSite site, @Nullable PostgresGis gis, List<Stage> stages) {
        String ours = "hotstate, " + stage.name();
        List<Subject> subjects = new ArrayList<>();
        Subject mine = search(ours, stage, SCRIPTS, place -> found(site, place));
        int before = stages.indexOf(stage) - 1;
        subjects.add(
                before < 0
                        ? mine
                        : mine.against("hotstate, " + stages.get(before).name(), REDIS_CPU));
        subjects.add(search(
                        "geosearch + filter, " + stage.name(),
                        stage,
                        Set.of("geosearch", "hmget", "mget"),
                        place -> stage.plain()
                                .search(place.lat(), place.lon(), RADIUS, LIMIT)
                                .size())
                .against(ours, REDIS_TIME)
                .against(ours, REDIS_CPU)
                .against(ours, TIME));
        if (gis != null) {
            Random places = new Random(42);
            Function<City.Place, Integer> search =
                    place -> gis.search(table(stage), place.lat(), place.lon(), RADIUS, LIMIT)
                            .size();
            subjects.add(new Subject(
                            "postgis, " + stage.name(),
                            length -> searches(stage, places, length, search).figures())
                    .against(ours, TIME));
        }
        return subjects;
    }

    private static int found(DriverSite site, City.Place place) {
        Found found = site.drivers()
                .findAvailable(new Search(place.lat(), place.lon(), RADIUS, LIMIT, null, Search.Order.DISTANCE));
        if (found.source() != Found.Source.REDIS) {
            throw new IllegalStateException("a search was answered from PostgreSQL");
        }
        return found.items().size();
    }

    private static Subject search(
            String name, Stage stage, Set<String> commands, Function<City.Place, Integer> search) {
        Random places = new Random(42);
        return new Subject(name, length -> {
            CommandTime before = CommandTime.of(stage.redis(), commands);
            double cpu = cpu(stage.redis());
            Searches done = searches(stage, places, length, search);
            double busy = cpu(stage.redis()) - cpu;
            CommandTime spent = CommandTime.of(stage.redis(), commands).minus(before);
            Map<Metric, Double> measured = new LinkedHashMap<>(done.figures());
            measured.put(REDIS_TIME, (double) spent.micros() / done.count());
            measured.put(REDIS_CPU, busy / done.count());
            return measured;
        });
    }

    private record Searches(int count, int found, long nanos) {
        Map<Metric, Double> figures() {
            return Map.of(TIME, nanos / 1e3 / count, FOUND, (double) found / count);
        }
    }

    /** Places go on from slice to slice: what is slow would else be asked of the first few alone. */
    private static Searches searches(
            Stage stage, Random places, Duration length, Function<City.Place, Integer> search) {
        int count = 0;
        int found = 0;
        long begin = System.nanoTime();
        long took;
        do {
            found += search.apply(stage.city().asked(places));
            count++;
            took = System.nanoTime() - begin;
        } while (took < length.toNanos());
        return new Searches(count, found, took);
    }

    static DriverFleet fleet(City city, int drivers, Noise noise) {
        return new DriverFleet(city, drivers, noise, InstantSource.system(), 20);
    }

    private static String table(Stage stage) {
        return "drivers_" + stage.name().replace(' ', '_');
    }

    private static double each(long bytes, Stage stage) {
        return (double) bytes / stage.drivers();
    }

    /** Of the thread that runs commands, in microseconds: what else runs on the machine is not in it, unlike Redis time. */
    static double cpu(RedisServer redis) {
        Map<String, String> info = redis.info("cpu");
        return 1e6
                * (Double.parseDouble(info.getOrDefault("used_cpu_user_main_thread", "0"))
                        + Double.parseDouble(info.getOrDefault("used_cpu_sys_main_thread", "0")));
    }

    private static long memory(RedisServer redis) {
        return Long.parseLong(redis.info("memory").getOrDefault("used_memory", "0"));
    }
}
