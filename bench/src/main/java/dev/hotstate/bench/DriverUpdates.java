package dev.hotstate.bench;

import dev.hotstate.bench.drivers.City;
import dev.hotstate.bench.drivers.DriverFleet;
import dev.hotstate.bench.drivers.DriverFleet.Noise;
import dev.hotstate.bench.drivers.DriverSite;
import dev.hotstate.bench.drivers.PlainGeo;
import dev.hotstate.drivers.Fix;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Consumer;

/** What it takes to keep up with where drivers are. */
final class DriverUpdates {
    private static final Metric THROUGHPUT = new Metric("throughput", "fixes/s");
    private static final Metric REDIS_TIME = new Metric("redis_time", "us/fix");
    private static final Metric REDIS_CPU = new Metric("redis_cpu", "us/fix");

    private DriverUpdates() {}

    /** The same moves on either side, ten thousand drivers a call; ours reach PostgreSQL too. */
    static void compare(Run run, PostgresServer postgres, int drivers) {
        RedisServer redis = run.redis();
        PlainGeo plain = run.closedLater(new PlainGeo(redis.uri()));
        try (DriverSite site = new DriverSite(redis, postgres.freshDatabase())) {
            DriverFleet ours = DriversBenchmark.fleet(City.uniform(), drivers, Noise.USUAL);
            DriverFleet theirs = DriversBenchmark.fleet(City.uniform(), drivers, Noise.USUAL);
            site.load(ours);
            site.awaitWritten();
            // How far PostgreSQL was behind at most: what a crash would have lost there.
            LongAccumulator behind = new LongAccumulator(Math::max, 0);
            String raw = "raw pipelined GEOADD, HSET, ZADD";
            run.compare(List.of(
                    update(raw, redis, Set.of("geoadd", "hset", "zadd"), theirs, plain::update),
                    update("hotstate, batches", redis, DriversBenchmark.SCRIPTS, ours, fixes -> {
                                site.locate(fixes);
                                behind.accumulate(site.lag().toMillis());
                            })
                            .against(raw, THROUGHPUT)
                            .against(raw, REDIS_TIME)
                            .against(raw, REDIS_CPU)));
            run.report().measured("hotstate, batches", "most_behind", "ms", behind.get());
        }
    }

    private static Subject update(
            String name, RedisServer redis, Set<String> commands, DriverFleet fleet, Consumer<List<Fix>> send) {
        int batch = Math.min(8_000, fleet.size());
        return new Subject(name, length -> {
            CommandTime before = CommandTime.of(redis, commands);
            double cpu = DriversBenchmark.cpu(redis);
            long took = 0;
            long fixes = 0;
            while (took < length.toNanos()) {
                List<Fix> moved = fleet.moved(batch, Duration.ofSeconds(5));
                long begin = System.nanoTime();
                send.accept(moved);
                took += System.nanoTime() - begin;
                fixes += moved.size();
            }
            double busy = DriversBenchmark.cpu(redis) - cpu;
            CommandTime spent = CommandTime.of(redis, commands).minus(before);
            return Map.of(
                    THROUGHPUT,
                    fixes * 1e9 / took,
                    REDIS_TIME,
                    (double) spent.micros() / fixes,
                    REDIS_CPU,
                    busy / fixes);
        });
    }
}
