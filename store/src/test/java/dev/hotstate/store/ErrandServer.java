package dev.hotstate.store;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Due;
import dev.hotstate.core.ErrandKeys;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Rebuild;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One running instance of a small feature: errands in PostgreSQL, their agenda in Redis, rebuilt from there when lost. */
final class ErrandServer implements AutoCloseable {
    static final int PAGE = 100;

    final Redis redis;
    final Incarnations incarnations;
    final Agenda agenda;
    final AtomicInteger pagesLoaded = new AtomicInteger();
    private final Database database;
    private final Consumer<String> beforePage;

    /** @param beforePage told the cursor before each page of a rebuild is loaded, "" for the first */
    ErrandServer(
            String name,
            String redisUri,
            DatabaseUrl database,
            List<Partition> partitions,
            Consumer<String> beforePage) {
        this(name, redisUri, database, partitions, Duration.ofSeconds(10), beforePage);
    }

    ErrandServer(
            String name,
            String redisUri,
            DatabaseUrl url,
            List<Partition> partitions,
            Duration rebuildLease,
            Consumer<String> beforePage) {
        this.beforePage = beforePage;
        this.database = Database.open(DatabaseOptions.of(url).withMaxConnections(3));
        database.migrate(List.of(PostgresLedger.migrations(), MigrationSet.of("errands")));
        // A call's time limit is not what is tested here, and a busy machine takes its time.
        RedisOptions options = RedisOptions.of(redisUri)
                .withTimeout(Duration.ofSeconds(1), Duration.ofSeconds(10))
                .withConnections(2, 4)
                .withBreaker(new RedisOptions.Breaker(5, Duration.ofSeconds(30), Duration.ofMillis(200)));
        this.redis = Redis.connect(options, ErrandKeys.KEYSPACE, new SimpleMeterRegistry());
        this.incarnations = new Incarnations(
                redis,
                new PostgresLedger(database),
                new Incarnations.Options(name, Duration.ofMillis(200), Duration.ofSeconds(2), rebuildLease),
                state -> {});
        this.agenda = new Agenda(redis, incarnations, ErrandKeys.SCHEDULE, ErrandKeys.FENCES);
        try {
            incarnations.watch("errands", partitions, this::load);
        } catch (HotstateException refused) {
            close();
            throw refused;
        }
    }

    /** Stores errands in PostgreSQL, the truth; a rebuild brings them into Redis. */
    static void store(DatabaseUrl url, Partition partition, int count) {
        try (Database database = Database.open(DatabaseOptions.of(url).withMaxConnections(1))) {
            database.migrate(List.of(MigrationSet.of("errands")));
            database.useHandle(handle -> handle.execute(
                    "INSERT INTO errand SELECT ? || '-' || to_char(n, 'FM00000'), ?"
                            + " FROM generate_series(1, ?) AS n",
                    partition.tag(),
                    partition.tag(),
                    count));
        }
    }

    private Rebuild.Page load(Partition partition, Pass pass, @Nullable String cursor) {
        beforePage.accept(cursor == null ? "" : cursor);
        List<String> ids = database.withHandle(handle -> handle.createQuery(
                        "SELECT id FROM errand WHERE tag = :tag AND id > :cursor ORDER BY id LIMIT :page")
                .bind("tag", partition.tag())
                .bind("cursor", cursor == null ? "" : cursor)
                .bind("page", PAGE)
                .mapTo(String.class)
                .list());
        if (!ids.isEmpty()) {
            Map<String, Due> entries = new HashMap<>();
            ids.forEach(id -> entries.put(id, Due.now()));
            agenda.under(pass).put(partition, entries);
        }
        pagesLoaded.incrementAndGet();
        return ids.size() < PAGE ? Rebuild.Page.last(ids.size()) : Rebuild.Page.upTo(ids.size(), ids.getLast());
    }

    long incarnationOf(Partition partition) {
        return incarnations.states().stream()
                .filter(state -> state.partition().equals(partition))
                .findFirst()
                .orElseThrow()
                .incarnation();
    }

    @Override
    public void close() {
        incarnations.close();
        redis.close();
        database.close();
    }
}
