package dev.hotstate.bench.drivers;

import dev.hotstate.drivers.Fix;
import io.lettuce.core.GeoArgs;
import io.lettuce.core.GeoSearch;
import io.lettuce.core.GeoWithin;
import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/**
 * The document's way: a GEO set, a hash of statuses, a key with a lifetime for each driver; a search asks GEOSEARCH for so
 * many and then drops who is not there any more.
 */
public final class PlainGeo implements AutoCloseable {
    static final String GEO = "drivers:geo";
    static final String STATUS = "drivers:status";

    /** For the updates alone: heartbeats as we keep them, so that both write the same. */
    static final String ONLINE = "drivers:online";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int AT_ONCE = 10_000;
    private static final double UNTIL = TimeUnit.DAYS.toMillis(30_000);
    private static final String OURS = "dev:hotstate:{default}:drivers:online";

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> async;

    public PlainGeo(String uri) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect();
        this.async = connection.async();
    }

    public void load(DriverFleet fleet) {
        for (int from = 0; from < fleet.size(); from += AT_ONCE) {
            List<Fix> fixes = fleet.all(from, Math.min(from + AT_ONCE, fleet.size()));
            List<RedisFuture<?>> sent = new ArrayList<>(3 * fixes.size());
            for (Fix fix : fixes) {
                sent.add(async.geoadd(GEO, fix.lon(), fix.lat(), fix.id()));
                sent.add(async.hset(STATUS, fix.id(), "AVAILABLE"));
                sent.add(async.set(online(fix.id()), "1", SetArgs.Builder.ex(Duration.ofHours(12))));
            }
            await(sent);
        }
    }

    /** Ends heartbeats on either side, as if these drivers had not been heard of; the sweep has not come by yet. */
    public void silence(int drivers, IntPredicate silent) {
        List<RedisFuture<?>> sent = new ArrayList<>();
        for (int i = 0; i < drivers; i++) {
            if (silent.test(i)) {
                sent.add(async.zadd(OURS, 1, DriverFleet.id(i)));
                sent.add(async.unlink(online(DriverFleet.id(i))));
            }
        }
        await(sent);
    }

    /** Of {@code limit}, those that are there. */
    public List<String> search(double lat, double lon, double metres, int limit) {
        List<String> near = get(async.geosearch(
                        GEO,
                        GeoSearch.fromCoordinates(lon, lat),
                        GeoSearch.byRadius(metres, GeoArgs.Unit.m),
                        GeoArgs.Builder.distance().withCount(limit).asc()))
                .stream()
                .map(GeoWithin::getMember)
                .toList();
        if (near.isEmpty()) {
            return near;
        }
        RedisFuture<List<KeyValue<String, String>>> statuses = async.hmget(STATUS, near.toArray(String[]::new));
        RedisFuture<List<KeyValue<String, String>>> online =
                async.mget(near.stream().map(PlainGeo::online).toArray(String[]::new));
        List<String> found = new ArrayList<>();
        for (int i = 0; i < near.size(); i++) {
            if (get(statuses).get(i).getValueOrElse("").equals("AVAILABLE")
                    && get(online).get(i).hasValue()) {
                found.add(near.get(i));
            }
        }
        return found;
    }

    /** Three commands a fix, all of them in one go: what a careful user of Redis alone would send. */
    public void update(List<Fix> fixes) {
        connection.setAutoFlushCommands(false);
        List<RedisFuture<?>> sent = new ArrayList<>(3 * fixes.size());
        for (Fix fix : fixes) {
            sent.add(async.geoadd(GEO, fix.lon(), fix.lat(), fix.id()));
            sent.add(async.hset(STATUS, fix.id(), "AVAILABLE"));
            sent.add(async.zadd(ONLINE, UNTIL, fix.id()));
        }
        await(sent);
        connection.setAutoFlushCommands(true);
    }

    private void await(List<RedisFuture<?>> sent) {
        connection.flushCommands();
        if (!LettuceFutures.awaitAll(PATIENCE, sent.toArray(RedisFuture[]::new))) {
            throw new IllegalStateException("Redis did not answer within " + PATIENCE);
        }
    }

    private static <T> T get(RedisFuture<T> future) {
        return LettuceFutures.awaitOrCancel(future, PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static String online(String id) {
        return "driver:online:" + id;
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
