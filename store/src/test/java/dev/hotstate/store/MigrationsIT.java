package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.Testkit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class MigrationsIT {
    private static final MigrationSet ORDERS = MigrationSet.of("orders");
    private static final MigrationSet NEXT_ORDERS = new MigrationSet("orders", "db/migration/orders_next");
    private static final MigrationSet EDITED_ORDERS = new MigrationSet("orders", "db/migration/orders_edited");
    private static final MigrationSet PARCELS = MigrationSet.of("parcels");

    private Database database;

    @BeforeEach
    void open(PostgresServer postgres) {
        database = Database.open(DatabaseOptions.of(Urls.of(postgres.freshDatabase())));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aFreshDatabaseGetsTheTablesOfEachFeatureAndAHistoryForEach() {
        database.migrate(List.of(ORDERS, PARCELS));

        assertThat(tables()).containsExactly("flyway_orders", "flyway_parcels", "orders", "parcels");
    }

    @Test
    void aFeatureThatIsOffHasNoTables() {
        database.migrate(List.of(ORDERS));

        assertThat(tables()).containsExactly("flyway_orders", "orders");
    }

    @Test
    void aFeatureSwitchedOnLaterJoinsTheOthers() {
        database.migrate(List.of(PARCELS));
        database.migrate(List.of(ORDERS, PARCELS));

        assertThat(tables()).containsExactly("flyway_orders", "flyway_parcels", "orders", "parcels");
    }

    @Test
    void migratingAgainChangesNothing() {
        database.migrate(List.of(ORDERS));
        database.useHandle(handle -> handle.execute("INSERT INTO orders VALUES ('a', 1)"));

        database.migrate(List.of(ORDERS));

        assertThat(appliedOrders()).containsExactly("1", "2");
        assertThat(count("SELECT count(*) FROM orders")).isOne();
    }

    @Test
    void aNewerProgramAddsOnlyWhatIsMissing() {
        database.migrate(List.of(ORDERS));
        database.migrate(List.of(NEXT_ORDERS));

        assertThat(appliedOrders()).containsExactly("1", "2", "3");
    }

    @Test
    void serversThatStartAtOnceAllSucceedAndEachMigrationRunsOnce() throws Exception {
        Callable<Void> start = () -> {
            database.migrate(List.of(ORDERS, PARCELS));
            return null;
        };
        try (ExecutorService servers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> server :
                    servers.invokeAll(Stream.generate(() -> start).limit(4).toList())) {
                server.get();
            }
        }

        assertThat(appliedOrders()).containsExactly("1", "2");
        assertThat(tables()).contains("orders", "parcels");
    }

    @Test
    void aProgramOlderThanTheSchemaSaysSoAndChangesNothing() {
        database.migrate(List.of(NEXT_ORDERS));

        assertThatExceptionOfType(SchemaNewerException.class)
                .isThrownBy(() -> database.migrate(List.of(ORDERS)))
                .satisfies(e -> {
                    assertThat(e.feature()).isEqualTo("orders");
                    assertThat(e.versionInDatabase()).isEqualTo("3");
                    assertThat(e.newestKnown()).isEqualTo("2");
                })
                .withMessage("The tables of orders in PostgreSQL are at version 3, which this program does not know"
                        + " (the newest it knows is 2): start the newer program, or restore a backup from before"
                        + " the upgrade.");
        assertThat(appliedOrders()).containsExactly("1", "2", "3");
    }

    @Test
    void aMigrationThatIsMissingBetweenKnownOnesIsNotPassedOver() {
        database.migrate(List.of(NEXT_ORDERS));
        database.useHandle(handle -> handle.execute("UPDATE flyway_orders SET version = '1.5' WHERE version = '2'"));

        assertThatExceptionOfType(SchemaNewerException.class)
                .isThrownBy(() -> database.migrate(List.of(NEXT_ORDERS)))
                .withMessageContaining("at version 1.5")
                .withMessageContaining("the newest it knows is 3");
    }

    @Test
    void aMigrationChangedAfterItWasAppliedIsNamed() {
        database.migrate(List.of(ORDERS));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> database.migrate(List.of(EDITED_ORDERS)))
                .withMessage("Migration 2 of orders (V2__note.sql) was changed after it had been applied to this"
                        + " database: restore it as it was and write the change as a new migration.");
    }

    @Test
    void aMigrationThatFailsLeavesNothingBehindAndIsNamed() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> database.migrate(List.of(MigrationSet.of("broken"))))
                .withMessageStartingWith("The migrations of broken failed: ")
                .withMessageContaining("V1__broken.sql")
                .withMessageContaining("no_such_table");
        assertThat(tables()).doesNotContain("half_way");
    }

    @Test
    void aFeatureWithoutAFolderOfMigrationsIsAMistake() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> database.migrate(List.of(MigrationSet.of("ordesr"))))
                .withMessageStartingWith("The migrations of ordesr failed: ");
    }

    private List<String> tables() {
        return strings("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1");
    }

    private List<String> appliedOrders() {
        return strings("SELECT version FROM flyway_orders WHERE success ORDER BY installed_rank");
    }

    private List<String> strings(String sql) {
        return database.withHandle(
                handle -> handle.createQuery(sql).mapTo(String.class).list());
    }

    private long count(String sql) {
        return database.withHandle(
                handle -> handle.createQuery(sql).mapTo(Long.class).one());
    }
}
