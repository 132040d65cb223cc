package dev.hotstate.store;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.extension.HandleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The door to PostgreSQL: a pool of connections that heals itself when PostgreSQL goes and comes back. Safe for use by
 * many threads.
 *
 * <pre>{@code
 * try (Database database = Database.open(DatabaseOptions.of("postgres://me:secret@localhost/app"))) {
 *     database.migrate(List.of(MigrationSet.of("jobs")));
 *     database.useHandle(handle -> handle.execute("UPDATE jobs SET priority = 0"));
 * }
 * }</pre>
 *
 * Whatever goes wrong between here and PostgreSQL is a {@link StoreException}, and a {@link StoreUnavailableException}
 * where the same call may succeed later: no connection within connectTimeout, a connection that broke, a server that is
 * stopping or out of means, a statement that took too long.
 */
public final class Database implements AutoCloseable {
    private final DatabaseOptions options;
    private final HikariDataSource pool;
    private final HealthCheck healthCheck;
    private final Jdbi jdbi;

    private Database(DatabaseOptions options, DataSource driver, HikariDataSource pool) {
        this.options = options;
        this.pool = pool;
        this.healthCheck = new HealthCheck(
                options.url(), new HealthCheck.Pool(this::connect, () -> connect(driver), this::isFull));
        this.jdbi = Jdbi.create(this::connect);
    }

    /** As {@link #open(DatabaseOptions, MeterRegistry)}, without metrics. */
    public static Database open(DatabaseOptions options) {
        return open(options, null);
    }

    /**
     * Connects once, to know that it can, and opens the pool.
     *
     * @param metrics where the pool reports its use ({@code hikaricp.*}), if anywhere
     * @throws StoreException within connectTimeout, saying in one sentence why PostgreSQL cannot be used
     */
    public static Database open(DatabaseOptions options, @Nullable MeterRegistry metrics) {
        DataSource driver = Connections.forQueries(options);
        // A pool's own failure is "timed out after 5000 ms"; the driver's says what is wrong.
        try {
            driver.getConnection().close();
        } catch (SQLException e) {
            throw ConnectFailure.explain(options, e);
        }
        return new Database(options, driver, Connections.pool(options, driver, metrics));
    }

    /**
     * Lends a connection to the work; each of its statements stands for itself. Within the work, the same thread is lent the
     * same connection.
     */
    public <R, X extends Exception> R withHandle(HandleCallback<R, X> work) throws X {
        try {
            return jdbi.withHandle(work);
        } catch (JdbiException failed) {
            throw StatementFailure.explain("PostgreSQL at " + options.url().address(), failed);
        }
    }

    /** As {@link #withHandle}, for work that answers nothing. */
    public <X extends Exception> void useHandle(HandleConsumer<X> work) throws X {
        withHandle(work.asCallback());
    }

    /** Lends a connection to the work; all of its statements take effect, or none if it throws. */
    public <R, X extends Exception> R inTransaction(HandleCallback<R, X> work) throws X {
        return withHandle(handle -> handle.inTransaction(work));
    }

    /** As {@link #inTransaction}, for work that answers nothing. */
    public <X extends Exception> void useTransaction(HandleConsumer<X> work) throws X {
        inTransaction(work.asCallback());
    }

    /** Whether this thread is in a transaction: then whatever it writes by way of this is part of that. Asks PostgreSQL nothing. */
    public boolean isInTransaction() {
        HandleSupplier lent = jdbi.getHandleScope().get();
        return lent != null && lent.getHandle().isInTransaction();
    }

    /**
     * Does this once what the thread has written is committed: at once, or on another thread at the end of the transaction
     * that it is in; never, where that is rolled back.
     */
    public void afterCommit(Runnable then) {
        if (isInTransaction()) {
            // Not on this thread: its connection is in the middle of its commit.
            useHandle(handle -> handle.afterCommit(() -> Thread.startVirtualThread(then)));
        } else {
            then.run();
        }
    }

    /**
     * Brings the tables of these features up to date, one feature after the other. Several servers may do so at once: one
     * migrates, the others wait.
     *
     * @throws SchemaNewerException if a later version of the program was here before
     * @throws StoreException if a migration fails, or was changed after it had been applied
     */
    public void migrate(List<MigrationSet> features) {
        new Migrations(options).apply(features);
    }

    /** Asks PostgreSQL, and answers within two seconds whatever happens there. */
    public DatabaseHealth health() {
        return healthCheck.ask();
    }

    /** Closes every connection; a statement still running fails. */
    @Override
    public void close() {
        pool.close();
    }

    private boolean isFull() {
        var connections = pool.getHikariPoolMXBean();
        return connections.getIdleConnections() == 0 && connections.getActiveConnections() >= options.maxConnections();
    }

    private Connection connect() {
        return connect(pool);
    }

    private Connection connect(DataSource source) {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw ConnectFailure.explain(options, e);
        }
    }
}
