package dev.hotstate.store;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The door to PostgreSQL: a pool of connections that heals itself when PostgreSQL goes and comes back. Safe for use by
 * many threads.
 *
 * <pre>{@code
 * try (Database database = Database.open(DatabaseOptions.of("postgres://me:secret@localhost/app"))) {
 *     database.migrate(List.of(MigrationSet.of("jobs")));
 *     database.jdbi().useHandle(handle -> handle.execute("UPDATE jobs SET priority = 0"));
 * }
 * }</pre>
 */
public final class Database implements AutoCloseable {
    private final DatabaseOptions options;
    private final HikariDataSource pool;
    private final HealthCheck healthCheck;
    private final Jdbi jdbi;

    private Database(DatabaseOptions options, HikariDataSource pool) {
        this.options = options;
        this.pool = pool;
        this.healthCheck = new HealthCheck(options.url(), this::connect);
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
        return new Database(options, Connections.pool(options, driver, metrics));
    }

    /** For PostgreSQL's own classes: no connection within connectTimeout is a {@link StoreUnavailableException}. */
    public Jdbi jdbi() {
        return jdbi;
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

    private Connection connect() {
        try {
            return pool.getConnection();
        } catch (SQLException e) {
            throw ConnectFailure.explain(options, e);
        }
    }
}
