package dev.hotstate.bench.monitors;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.monitors.MonitorKeys;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.Monitors;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;

/** Monitors in this process, beside those of the site's servers: it shares their work, and its doors can be called. */
final class Instance implements AutoCloseable {
    /** What servers use if nothing else is said. */
    private static final String PREFIX = "dev:hotstate";

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Database database;
    private final Redis redis;
    private final Events events;
    private final Incarnations incarnations;
    private final Monitoring monitoring;

    Instance(Site site) {
        database = Database.open(DatabaseOptions.of(site.database.jdbcUrl()));
        redis = Redis.connect(
                RedisOptions.of(site.redis.uri()),
                Keyspace.of(PREFIX, List.of(CoreKeys.SERVICE, MonitorKeys.SERVICE)),
                meters);
        events = new Events(redis, List.of("monitors"));
        incarnations =
                new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of("bench"), state -> {});
        monitoring = Monitoring.start(
                new Monitoring.Ground(redis, database, incarnations, events, meters, Site.CLOCK),
                Monitoring.Options.DEFAULTS);
    }

    Monitors monitors() {
        return monitoring.monitors();
    }

    @Override
    public void close() {
        monitoring.close();
        incarnations.close();
        events.close();
        redis.close();
        database.close();
    }
}
