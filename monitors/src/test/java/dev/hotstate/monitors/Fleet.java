package dev.hotstate.monitors;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Rebuild;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.monitors.alert.AlertOptions;
import dev.hotstate.monitors.check.CheckerOptions;
import dev.hotstate.monitors.history.HistoryOptions;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisTarget;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Instances of the whole module on one Redis and one PostgreSQL, each with the chores that a server would give it. */
final class Fleet implements AutoCloseable {
    private static final Monitoring.Options QUICK = new Monitoring.Options(
            1,
            100,
            50,
            CheckerOptions.DEFAULTS,
            AlertOptions.DEFAULTS.withRetries(
                    new AlertOptions.Retries(Duration.ofMillis(200), Duration.ofSeconds(1), 400, Duration.ofHours(1))),
            HistoryOptions.DEFAULTS.withFlushEvery(Duration.ofMillis(200)));

    private final RedisTarget target;
    private final String postgresUrl;
    private final List<Instance> instances = new ArrayList<>();

    Fleet(RedisTarget target, PostgresDatabase postgres) {
        this.target = target;
        this.postgresUrl = postgres.jdbcUrl()
                .replaceFirst(
                        "^jdbc:postgresql://",
                        "postgres://" + encoded(postgres.user()) + ":" + encoded(postgres.password()) + "@");
        try (Database database = Database.open(DatabaseOptions.of(postgresUrl))) {
            database.migrate(List.of(PostgresLedger.migrations(), Monitoring.migrations()));
        }
    }

    Monitoring start() {
        Instance instance = new Instance("instance-" + instances.size());
        instances.add(instance);
        return instance.monitoring;
    }

    /** A way of its own to PostgreSQL, which the caller closes. */
    Database database() {
        return Database.open(DatabaseOptions.of(postgresUrl));
    }

    /** An instance that does nothing by itself. */
    Lone lone() {
        return new Lone();
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
    }

    final class Lone implements AutoCloseable {
        private final Database database = Database.open(DatabaseOptions.of(postgresUrl));
        private final Redis redis = connect();
        private final Incarnations incarnations =
                new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of("lone"), state -> {});

        private Lone() {
            incarnations.watch(
                    "monitors", new Partitions("m", 1).all(), (partition, pass, cursor) -> Rebuild.Page.last(0));
            Eventually.until("it knows its partition", incarnations::allReady);
        }

        Agenda agenda() {
            return new Agenda(redis, incarnations, MonitorKeys.SCHEDULE, MonitorKeys.FENCES);
        }

        @Override
        public void close() {
            incarnations.close();
            redis.close();
            database.close();
        }
    }

    private Redis connect() {
        return Redis.connect(
                RedisOptions.of(target.uri()),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, MonitorKeys.SERVICE)),
                TestMeters.REGISTRY);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private final class Instance implements AutoCloseable {
        private final Database database = Database.open(DatabaseOptions.of(postgresUrl)
                .withMaxConnections(5)
                .withConnectTimeout(Duration.ofSeconds(1))
                .withQueryTimeout(Duration.ofSeconds(2)));
        private final Redis redis = connect();
        private final Events events = new Events(redis, List.of("monitors"));
        private final Incarnations incarnations;
        private final Monitoring monitoring;
        private final CountDownLatch closed = new CountDownLatch(1);
        private final Thread chores;

        Instance(String name) {
            incarnations =
                    new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of(name), state -> {});
            monitoring = Monitoring.start(
                    new Monitoring.Ground(
                            redis, database, incarnations, events, TestMeters.REGISTRY, InstantSource.system()),
                    QUICK);
            chores = Thread.ofVirtual().start(this::doChores);
        }

        private void doChores() {
            try {
                while (!closed.await(200, TimeUnit.MILLISECONDS)) {
                    for (Runnable chore : List.<Runnable>of(
                            monitoring::remind, monitoring::abandonDeleted, monitoring::recallForgotten)) {
                        try {
                            chore.run();
                        } catch (RuntimeException notNow) {
                            // As a server's chores: it is tried again in its turn.
                        }
                    }
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            closed.countDown();
            try {
                chores.join(5_000);
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            monitoring.close();
            incarnations.close();
            events.close();
            redis.close();
            database.close();
        }
    }
}
