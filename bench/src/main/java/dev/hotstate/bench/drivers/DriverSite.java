package dev.hotstate.bench.drivers;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.drivers.DriverKeys;
import dev.hotstate.drivers.Drivers;
import dev.hotstate.drivers.Driving;
import dev.hotstate.drivers.Fix;
import dev.hotstate.drivers.WeightedScoring;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisTarget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** All of drivers in this process, as a server would have it, with a PostgreSQL behind it. */
public final class DriverSite implements AutoCloseable {
    private static final int AT_ONCE = 10_000;

    /** So long that nobody falls silent by itself while it is measured. */
    private static final Duration HEARTBEAT = Duration.ofHours(12);

    /** A machine that stalls for some seconds, with nobody to beat, ends no run. */
    private static final Incarnations.Options PATIENT =
            new Incarnations.Options("bench", Duration.ofMillis(500), Duration.ofMinutes(30), Duration.ofSeconds(10));

    private final Redis redis;
    private final Database database;
    private final Events events;
    private final Incarnations incarnations;
    private final Driving driving;

    public DriverSite(RedisTarget target, PostgresDatabase postgres) {
        this.redis = Redis.connect(
                RedisOptions.of(target.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(20)),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, DriverKeys.SERVICE)),
                new SimpleMeterRegistry());
        this.database = Database.open(DatabaseOptions.of(url(postgres)));
        database.migrate(List.of(PostgresLedger.migrations(), Driving.migrations()));
        this.events = new Events(redis, List.of("drivers"));
        this.incarnations = new Incarnations(redis, new PostgresLedger(database), PATIENT, state -> {});
        // It sweeps as it starts, and again after an hour: those that are made silent in between are silent that long.
        this.driving = Driving.start(
                new Driving.Ground(
                        redis, database, incarnations, events, new SimpleMeterRegistry(), InstantSource.system()),
                new Driving.Options(
                        HEARTBEAT,
                        WeightedScoring.DEFAULTS,
                        Duration.ofSeconds(1),
                        Duration.ofHours(1),
                        Duration.ofDays(7)));
        Eventually.until("drivers are ready", this::answers);
    }

    public Drivers drivers() {
        return driving.drivers();
    }

    /** The whole fleet, where it stands. */
    public void load(DriverFleet fleet) {
        for (int from = 0; from < fleet.size(); from += AT_ONCE) {
            locate(fleet.all(from, Math.min(from + AT_ONCE, fleet.size())));
        }
    }

    /** A batch of up to 10,000; fails if one of it is refused. */
    public void locate(List<Fix> fixes) {
        var located = drivers().locateAll(fixes);
        if (!located.refused().isEmpty()) {
            throw new IllegalStateException(
                    "a fix was refused: " + located.refused().getFirst());
        }
    }

    /** What waits for PostgreSQL is work that would be counted with what is measured next. */
    public void awaitWritten() {
        while (driving.lag().drivers() > 0) {
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    /** For how long positions have waited for PostgreSQL. */
    public Duration lag() {
        return driving.lag().age();
    }

    private boolean answers() {
        try {
            locate(List.of(Fix.of("first", 0, 0)));
            return true;
        } catch (RebuildingException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        driving.close();
        incarnations.close();
        events.close();
        database.close();
        redis.close();
    }

    private static String url(PostgresDatabase postgres) {
        return postgres.jdbcUrl()
                .replaceFirst(
                        "^jdbc:postgresql://",
                        "postgres://" + encoded(postgres.user()) + ":" + encoded(postgres.password()) + "@");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
