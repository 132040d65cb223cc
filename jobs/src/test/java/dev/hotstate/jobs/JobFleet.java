package dev.hotstate.jobs;

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
final class JobFleet implements AutoCloseable {
    private static final Jobbing.Options QUICK = new Jobbing.Options(2, Duration.ofSeconds(1), 1_000);

    /** That a busy machine stands still is not what is tested. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RedisTarget target;
    private final String postgresUrl;
    private final Duration patience;
    private final List<Instance> instances = new ArrayList<>();

    JobFleet(RedisTarget target, String postgresUrl) {
        this(target, postgresUrl, PATIENCE);
    }

    /** @param patience how long a command of Redis may take */
    JobFleet(RedisTarget target, String postgresUrl, Duration patience) {
        this.patience = patience;
        this.target = target;
        this.postgresUrl = postgresUrl;
        try (Database database = database()) {
            database.migrate(List.of(PostgresLedger.migrations(), Jobbing.migrations()));
        }
    }

    Jobbing start() {
        return start(QUICK);
    }

    Jobbing start(Jobbing.Options options) {
        Instance instance = new Instance("instance-" + instances.size(), options);
        instances.add(instance);
        Eventually.until("its partitions are ready", instance.incarnations::allReady);
        return instance.jobbing;
    }

    /** A way of its own to PostgreSQL, which the caller closes. */
    Database database() {
        return Database.open(DatabaseOptions.of(postgresUrl)
                .withMaxConnections(5)
                .withConnectTimeout(Duration.ofSeconds(1))
                .withQueryTimeout(Duration.ofSeconds(5)));
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
    }

    private final class Instance implements AutoCloseable {
        private final Database database = database();
        private final Redis redis = Redis.connect(
                RedisOptions.of(target.uri()).withTimeout(patience, patience),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, JobKeys.SERVICE)),
                TestMeters.REGISTRY);
        private final Events events = new Events(redis, List.of(Jobbing.READY_TOPIC));
        private final Incarnations incarnations;
        private final Jobbing jobbing;

        Instance(String name, Jobbing.Options options) {
            incarnations =
                    new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of(name), state -> {});
            jobbing = Jobbing.start(
                    new Jobbing.Ground(
                            redis, database, incarnations, events, TestMeters.REGISTRY, InstantSource.system()),
                    options);
        }

        @Override
        public void close() {
            jobbing.close();
            incarnations.close();
            events.close();
            redis.close();
            database.close();
        }
    }
}
