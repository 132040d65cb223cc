package dev.hotstate.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * How connections are made. Every wait has an end: connecting (connectTimeout), a statement (queryTimeout, kept by
 * PostgreSQL), and a server that is there but silent (the socket's timeout, a little longer than the statement's, so that
 * a slow statement costs the statement and not the connection).
 */
final class Connections {
    private static final Duration SOCKET_GRACE = Duration.ofSeconds(5);
    private static final Duration LONGEST_MIGRATION = Duration.ofHours(1);
    private static final Duration VALIDATION = Duration.ofSeconds(1);
    private static final Duration KEEPALIVE = Duration.ofMinutes(2);
    private static final int IDLE = 2;
    private static final int MIGRATING = 4;

    private Connections() {}

    static DataSource forQueries(DatabaseOptions options) {
        return driver(options, options.queryTimeout().plus(SOCKET_GRACE));
    }

    /** Outside of the pool for queries: a migration may run for longer than any query. */
    static DataSource forMigrations(DatabaseOptions options) {
        return driver(options, LONGEST_MIGRATION);
    }

    /** Flyway asks for a few connections at once, and for each feature anew: it gets the same ones again. */
    static HikariDataSource poolForMigrations(DatabaseOptions options, DataSource driver) {
        HikariConfig config = config(options, driver);
        config.setPoolName(options.applicationName() + " migrations");
        config.setMaximumPoolSize(MIGRATING);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    static HikariDataSource pool(DatabaseOptions options, DataSource driver, @Nullable MeterRegistry metrics) {
        HikariConfig config = config(options, driver);
        config.setPoolName(options.applicationName());
        config.setMaximumPoolSize(options.maxConnections());
        config.setMinimumIdle(Math.min(IDLE, options.maxConnections()));
        config.setKeepaliveTime(KEEPALIVE.toMillis());
        // By SET rather than in the start-up packet, which connection poolers such as PgBouncer refuse.
        config.setConnectionInitSql(
                "SET statement_timeout = " + options.queryTimeout().toMillis());
        if (metrics != null) {
            config.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(metrics));
        }
        return new HikariDataSource(config);
    }

    private static HikariConfig config(DatabaseOptions options, DataSource driver) {
        long connectMillis = options.connectTimeout().toMillis();
        HikariConfig config = new HikariConfig();
        config.setDataSource(driver);
        config.setConnectionTimeout(connectMillis);
        config.setValidationTimeout(Math.min(VALIDATION.toMillis(), connectMillis));
        config.setInitializationFailTimeout(-1);
        return config;
    }

    private static PGSimpleDataSource driver(DatabaseOptions options, Duration socketTimeout) {
        DatabaseUrl url = options.url();
        PGSimpleDataSource driver = new PGSimpleDataSource();
        url.parameters().forEach((name, value) -> setProperty(driver, name, value));
        driver.setServerNames(new String[] {url.bracketedHost()});
        driver.setPortNumbers(new int[] {url.port()});
        driver.setDatabaseName(url.database());
        driver.setUser(url.user());
        driver.setPassword(url.password());
        driver.setApplicationName(options.applicationName());
        driver.setConnectTimeout(wholeSeconds(options.connectTimeout()));
        driver.setLoginTimeout(wholeSeconds(options.connectTimeout()));
        driver.setSocketTimeout(wholeSeconds(socketTimeout));
        driver.setTcpKeepAlive(true);
        return driver;
    }

    private static void setProperty(PGSimpleDataSource driver, String name, String value) {
        try {
            driver.setProperty(name, value);
        } catch (SQLException e) {
            throw new StoreException("The PostgreSQL driver refuses the parameter " + name + ".", e);
        }
    }

    private static int wholeSeconds(Duration duration) {
        return Math.toIntExact(duration.plusMillis(999).toSeconds());
    }
}
