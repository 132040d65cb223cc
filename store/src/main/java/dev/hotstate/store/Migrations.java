package dev.hotstate.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flyway, once for each feature; its exceptions become sentences here. */
final class Migrations {
    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    private final DatabaseOptions options;

    Migrations(DatabaseOptions options) {
        this.options = options;
    }

    void apply(List<MigrationSet> sets) {
        DataSource driver = Connections.forMigrations(options);
        try (Connection lock = driver.getConnection();
                Statement statement = lock.createStatement();
                HikariDataSource pool = Connections.poolForMigrations(options, driver)) {
            // Until this connection closes. Flyway's own lock leaves its first steps open to a race between servers.
            statement.execute("SELECT pg_advisory_lock(hashtext('hotstate migrations'))");
            sets.forEach(set -> apply(set, pool));
        } catch (SQLException e) {
            throw ConnectFailure.explain(options, e);
        }
    }

    private static void apply(MigrationSet set, DataSource connections) {
        Flyway flyway = flyway(set, connections);
        try {
            var result = flyway.migrate();
            if (result.migrationsExecuted > 0) {
                LOG.info("Migrated the tables of {} to version {}", set.feature(), result.targetSchemaVersion);
            }
        } catch (FlywayException e) {
            throw explain(set, flyway, e);
        }
    }

    private static Flyway flyway(MigrationSet set, DataSource connections) {
        return Flyway.configure(Thread.currentThread().getContextClassLoader())
                .dataSource(connections)
                .locations("classpath:" + set.folder())
                .failOnMissingLocations(true)
                .validateMigrationNaming(true)
                .table(set.historyTable())
                // Features share one schema: it is not empty when the second one's tables come.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                // Flyway by default lets migrations of the future pass; we must not.
                .ignoreMigrationPatterns(new String[0])
                .placeholderReplacement(false)
                .cleanDisabled(true)
                .loggers("slf4j")
                .load();
    }

    private static StoreException explain(MigrationSet set, Flyway flyway, FlywayException failure) {
        MigrationInfo[] all;
        try {
            all = flyway.info().all();
        } catch (FlywayException unreadable) {
            return failed(set, failure);
        }
        return newestUnknown(all)
                .<StoreException>map(
                        unknown -> new SchemaNewerException(set.feature(), version(unknown), newestKnown(all)))
                .or(() -> changed(all).map(migration -> changedException(set, migration)))
                .orElseGet(() -> failed(set, failure));
    }

    private static Optional<MigrationInfo> newestUnknown(MigrationInfo[] all) {
        return newest(
                all,
                migration -> isApplied(migration)
                        && !migration.getState().isResolved()
                        && migration.getState() != MigrationState.BASELINE);
    }

    private static String newestKnown(MigrationInfo[] all) {
        return newest(all, migration -> migration.getState().isResolved())
                .map(Migrations::version)
                .orElse("none");
    }

    private static Optional<MigrationInfo> changed(MigrationInfo[] all) {
        return newest(all, migration -> isApplied(migration) && !migration.isChecksumMatching());
    }

    private static Optional<MigrationInfo> newest(MigrationInfo[] all, Predicate<MigrationInfo> condition) {
        return Arrays.stream(all)
                .filter(MigrationInfo::isVersioned)
                .filter(condition)
                .max(Comparator.comparing(MigrationInfo::getVersion));
    }

    private static boolean isApplied(MigrationInfo migration) {
        return migration.getState().isApplied();
    }

    private static String version(MigrationInfo migration) {
        return migration.getVersion().getVersion();
    }

    private static StoreException changedException(MigrationSet set, MigrationInfo migration) {
        return new StoreException(
                "Migration " + version(migration) + " of " + set.feature() + " (" + migration.getScript()
                        + ") was changed after it had been applied to this database: restore it as it was"
                        + " and write the change as a new migration.");
    }

    private static StoreException failed(MigrationSet set, FlywayException failure) {
        String what = Sentences.of(failure);
        String why = failure.getCause() == null ? "" : " " + Sentences.ofRoot(failure);
        return new StoreException("The migrations of " + set.feature() + " failed: " + what + why, failure);
    }
}
