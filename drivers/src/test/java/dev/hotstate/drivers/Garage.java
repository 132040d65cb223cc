package dev.hotstate.drivers;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Instances of the whole module on one Redis and one PostgreSQL. */
final class Garage implements AutoCloseable {
    /** Nobody falls silent in a test that does not wait for it. */
    static final Driving.Options PATIENT = new Driving.Options(
            Duration.ofMinutes(10),
            WeightedScoring.DEFAULTS,
            Duration.ofMillis(100),
            Duration.ofMillis(100),
            Duration.ofDays(7));

    /** Whoever is not heard of for two seconds is OFFLINE, and may be forgotten after two more. */
    static final Driving.Options HASTY = new Driving.Options(
            Duration.ofSeconds(2),
            WeightedScoring.DEFAULTS,
            Duration.ofMillis(100),
            Duration.ofMillis(100),
            Duration.ofSeconds(2));

    /** A busy machine is not what is tested here. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final RedisTarget target;
    private final String postgresUrl;
    private final List<Instance> instances = new ArrayList<>();

    Garage(RedisTarget target, String postgresUrl) {
        this.target = target;
        this.postgresUrl = postgresUrl;
        try (Database database = database()) {
            database.migrate(List.of(PostgresLedger.migrations(), Driving.migrations()));
        }
    }

    Instance start(Driving.Options options) {
        Instance instance = new Instance("instance-" + instances.size(), options);
        instances.add(instance);
        Eventually.until("its regions are ready", instance.incarnations::allReady);
        return instance;
    }

    /** A way of its own to PostgreSQL, which the caller closes. */
    Database database() {
        return Database.open(DatabaseOptions.of(postgresUrl)
                .withMaxConnections(8)
                .withConnectTimeout(Duration.ofSeconds(2))
                .withQueryTimeout(Duration.ofSeconds(5)));
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
    }

    final class Instance implements AutoCloseable {
        final Database database = database();
        final Redis redis = Redis.connect(
                RedisOptions.of(target.uri()).withTimeout(PATIENCE, PATIENCE),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, DriverKeys.SERVICE)),
                TestMeters.REGISTRY);
        final Incarnations incarnations;
        final Driving driving;
        final Drivers drivers;
        private final Events events = new Events(redis, List.of("drivers"));
        private boolean closed;

        Instance(String name, Driving.Options options) {
            incarnations =
                    new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of(name), state -> {});
            driving = Driving.start(
                    new Driving.Ground(
                            redis, database, incarnations, events, TestMeters.REGISTRY, InstantSource.system()),
                    options);
            drivers = driving.drivers();
        }

        /** Who is found, by Redis: on a busy machine a beat may come too late, and PostgreSQL answers for a moment. */
        List<String> found(Search search) {
            List<Found> answers = new ArrayList<>();
            Eventually.until("Redis answers", () -> {
                answers.add(drivers.findAvailable(search));
                return answers.getLast().source() == Found.Source.REDIS;
            });
            return answers.getLast().items().stream()
                    .map(item -> item.candidate().id())
                    .toList();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                driving.close();
                incarnations.close();
                events.close();
                redis.close();
                database.close();
            }
        }
    }
}
