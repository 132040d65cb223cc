package dev.hotstate.monitors.history;

import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.SettableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A history in a database of its own, whose clock a test moves. It writes only when told. */
final class TestHistory implements AutoCloseable {
    static final Duration STANDS = Duration.ofSeconds(75);
    static final HistoryOptions WHEN_TOLD = HistoryOptions.DEFAULTS.withFlushEvery(Duration.ofHours(1));

    final SettableClock clock;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final Database database;
    final History history;

    TestHistory(PostgresServer postgres, Instant now) {
        clock = SettableClock.at(now);
        database = Database.open(
                DatabaseOptions.of(postgres.freshDatabase().jdbcUrl()).withMaxConnections(6));
        database.migrate(List.of(MigrationSet.of("monitors")));
        history = another();
    }

    /** As another instance would have it. */
    History another() {
        return History.start(database, WHEN_TOLD, meters, clock);
    }

    static Result up(String monitor, Instant at) {
        return new Result(monitor, at, STANDS, true, false, false, 20, 200, null);
    }

    static Result down(String monitor, Instant at) {
        return new Result(monitor, at, STANDS, false, true, false, 10_000, 500, "status is 500");
    }

    void flush(Result... results) {
        List.of(results).forEach(history::add);
        history.flush();
    }

    /** A result a minute from one time to the other, of which the latter is left out. */
    void upEachMinute(String monitor, Instant from, Instant to) {
        for (Instant at = from; at.isBefore(to); at = at.plusSeconds(60)) {
            history.add(up(monitor, at));
        }
        history.flush();
    }

    void rollUpAt(Instant now) {
        clock.set(now);
        history.rollUp();
    }

    List<String> partitions(String table) {
        return database.withHandle(handle -> handle.createQuery("SELECT c.relname FROM pg_inherits i"
                        + " JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = :table::regclass ORDER BY 1")
                .bind("table", table)
                .mapTo(String.class)
                .list());
    }

    long count(String table) {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + table)
                .mapTo(Long.class)
                .one());
    }

    double dropped(String reason) {
        return meters.counter("hotstate.monitors.history.dropped", "reason", reason)
                .count();
    }

    @Override
    public void close() {
        history.close();
        database.close();
    }
}
