package dev.hotstate.bench;

import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Rebuild;
import dev.hotstate.core.Redis;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Makes partitions ready the way a server does, with a ledger in PostgreSQL, for longer than any benchmark takes. Then the
 * watch ends, and PostgreSQL with it: a beat in the middle of a slice would be counted as a round trip of its subject.
 */
final class ReadyPartitions {
    private static final Duration HOLD = Duration.ofMinutes(30);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ReadyPartitions() {}

    static Map<Partition, Pass> open(Redis redis, List<Partition> partitions) {
        Set<Partition> waiting = ConcurrentHashMap.newKeySet();
        waiting.addAll(partitions);
        CountDownLatch ready = new CountDownLatch(partitions.size());
        try (PostgresServer postgres = PostgresServer.start();
                Database database = Database.open(DatabaseOptions.of(url(postgres.freshDatabase())));
                Incarnations incarnations = new Incarnations(
                        redis,
                        ledger(database),
                        new Incarnations.Options("bench", Duration.ofMillis(100), HOLD, Duration.ofSeconds(10)),
                        state -> {
                            if (state.ready() && waiting.remove(state.partition())) {
                                ready.countDown();
                            }
                        })) {
            incarnations.watch("bench", partitions, (partition, pass, cursor) -> Rebuild.Page.last(0));
            await(ready);
            Map<Partition, Pass> passes = new HashMap<>();
            partitions.forEach(partition -> passes.put(partition, incarnations.of(partition)));
            return passes;
        }
    }

    private static PostgresLedger ledger(Database database) {
        database.migrate(List.of(PostgresLedger.migrations()));
        return new PostgresLedger(database);
    }

    private static String url(PostgresDatabase database) {
        return database.jdbcUrl() + "?user=" + database.user();
    }

    private static void await(CountDownLatch ready) {
        try {
            if (!ready.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        ready.getCount() + " partitions were not ready within " + PATIENCE.toSeconds() + " s");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while partitions were made ready", stopped);
        }
    }
}
