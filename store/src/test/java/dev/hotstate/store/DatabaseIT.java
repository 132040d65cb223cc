package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.Testkit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class DatabaseIT {
    private final DatabaseUrl url;

    DatabaseIT(PostgresServer postgres) {
        this.url = Urls.of(postgres.freshDatabase());
    }

    @Test
    void anOpenDatabaseAnswersQueriesUnderItsName() {
        try (Database database = Database.open(DatabaseOptions.of(url).withApplicationName("billing"))) {
            assertThat(string(database, "SELECT current_setting('application_name')"))
                    .isEqualTo("billing");
            assertThat(string(database, "SELECT current_database()")).isEqualTo(url.database());
        }
    }

    @Test
    void healthTellsTheVersionOfTheServer() {
        try (Database database = Database.open(DatabaseOptions.of(url))) {
            assertThat(database.health())
                    .isInstanceOfSatisfying(
                            DatabaseHealth.Up.class,
                            up -> assertThat(up.serverVersion())
                                    .isEqualTo(string(database, "SELECT current_setting('server_version')")));
        }
    }

    @Test
    void theUrlsSchemaIsWhereTablesAndHistoriesGo() {
        DatabaseUrl own = new DatabaseUrl(
                url.host(), url.port(), url.database(), url.user(), url.password(), Map.of("currentSchema", "own"));
        try (Database database = Database.open(DatabaseOptions.of(own))) {
            database.useHandle(handle -> handle.execute("CREATE SCHEMA own"));
            database.migrate(List.of(MigrationSet.of("orders")));

            assertThat(string(database, "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'own'"))
                    .isEqualTo("2");
        }
    }

    @Test
    void aStatementThatRunsTooLongIsEndedAndItsConnectionLivesOn() {
        DatabaseOptions options = DatabaseOptions.of(url).withMaxConnections(1).withQueryTimeout(Duration.ofSeconds(1));
        try (Database database = Database.open(options)) {
            String backend = string(database, "SELECT pg_backend_pid()::text");

            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> string(database, "SELECT pg_sleep(60)::text"))
                    .withMessageContaining("statement timeout");

            assertThat(string(database, "SELECT pg_backend_pid()::text")).isEqualTo(backend);
        }
    }

    @Test
    void thePoolNeverOpensMoreThanItMay() throws Exception {
        DatabaseOptions options = DatabaseOptions.of(url)
                .withMaxConnections(3)
                .withConnectTimeout(Duration.ofSeconds(30))
                .withApplicationName("three");
        try (Database database = Database.open(options);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> seen = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                seen.add(callers.submit(() -> Integer.valueOf(string(
                        database, "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'three'"))));
            }
            for (Future<Integer> connections : seen) {
                assertThat(connections.get()).isBetween(1, 3);
            }
        }
    }

    @Test
    void whoWaitsTooLongForAConnectionIsToldAndSoIsTheHealth() throws Exception {
        DatabaseOptions options =
                DatabaseOptions.of(url).withMaxConnections(3).withConnectTimeout(Duration.ofSeconds(1));
        try (Database database = Database.open(options);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            CountDownLatch held = new CountDownLatch(3);
            CountDownLatch enough = new CountDownLatch(1);
            for (int i = 0; i < 3; i++) {
                callers.submit(() -> {
                    database.useHandle(handle -> {
                        held.countDown();
                        enough.await();
                    });
                    return null;
                });
            }
            try {
                held.await();
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> string(database, "SELECT ''"))
                        .withMessage("No connection to PostgreSQL at " + url.address()
                                + " was free within 1 s: all 3 are in use, or it does not answer.");
                String reason = "Every connection to PostgreSQL at " + url.address() + " is in use.";
                Eventually.until(
                        "health tells that all are in use",
                        () -> database.health() instanceof DatabaseHealth.Busy busy
                                && busy.reason().equals(reason));
            } finally {
                enough.countDown();
            }
            Eventually.until("one is free", () -> database.health() instanceof DatabaseHealth.Up);
        }
    }

    @Test
    void thePoolReportsItsUse() {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        try (Database database = Database.open(DatabaseOptions.of(url).withMaxConnections(4), metrics)) {
            database.useHandle(used -> {
                assertThat(metrics.get("hikaricp.connections.active").gauge().value())
                        .isEqualTo(1);
                assertThat(metrics.get("hikaricp.connections.max").gauge().value())
                        .isEqualTo(4);
            });
        }
    }

    @Test
    void aClosedPortIsOneSentence() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        DatabaseUrl nobody =
                new DatabaseUrl(url.host(), closed, url.database(), url.user(), "hunter2", url.parameters());

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> Database.open(DatabaseOptions.of(nobody)))
                .withMessage("PostgreSQL at localhost:" + closed
                        + " refuses connections: is it running, and is that its port?");
    }

    @Test
    void anIpv6AddressIsReachedAsSuch() {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> Database.open(DatabaseOptions.of("postgres://ann@[::1]:1/app")))
                .withMessageStartingWith("PostgreSQL at [::1]:1 refuses connections");
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            DatabaseUrl mute = new DatabaseUrl(
                    silent.getInetAddress().getHostAddress(),
                    silent.getLocalPort(),
                    url.database(),
                    url.user(),
                    "",
                    url.parameters());

            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> Database.open(DatabaseOptions.of(mute).withConnectTimeout(Duration.ofSeconds(1))))
                    .withMessage("PostgreSQL at " + mute.address() + " did not answer within 1 s.");
        }
    }

    @Test
    void anUnknownHostIsOneSentence() {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> Database.open(DatabaseOptions.of("postgres://ann@nowhere.invalid/app")))
                .withMessage("PostgreSQL's host nowhere.invalid is not known: check the name.");
    }

    @Test
    void anUnknownDatabaseIsOneSentence() {
        DatabaseUrl missing =
                new DatabaseUrl(url.host(), url.port(), "missing", url.user(), url.password(), url.parameters());

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Database.open(DatabaseOptions.of(missing)))
                .withMessage(
                        "PostgreSQL at " + url.address() + " has no database missing: create it, or correct the URL.");
    }

    @Test
    void aMistakenStatementIsNoOutage() {
        try (Database database = Database.open(DatabaseOptions.of(url))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> string(database, "SELECT nonsense"))
                    .isNotInstanceOf(StoreUnavailableException.class)
                    .withMessage("PostgreSQL at " + url.address() + " failed: column \"nonsense\" does not exist.");
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> string(database, "SELECT :unbound"))
                    .isNotInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void aTransactionThatFailsTakesNoEffect() {
        try (Database database = Database.open(DatabaseOptions.of(url))) {
            database.useHandle(handle -> handle.execute("CREATE TABLE note (id text)"));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> database.useTransaction(handle -> {
                        handle.execute("INSERT INTO note VALUES ('a')");
                        handle.execute("SELECT nonsense");
                    }));
            assertThat(string(database, "SELECT count(*)::text FROM note")).isEqualTo("0");
        }
    }

    @Test
    void aUserWhoMayNotLogInIsOneSentence() {
        try (Database database = Database.open(DatabaseOptions.of(url))) {
            database.useHandle(handle -> handle.execute("CREATE ROLE barred NOLOGIN PASSWORD 'hunter2'"));
        }
        DatabaseUrl barred =
                new DatabaseUrl(url.host(), url.port(), url.database(), "barred", "hunter2", url.parameters());

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Database.open(DatabaseOptions.of(barred)))
                .withMessage("PostgreSQL at " + url.address()
                        + " does not let user barred in: role \"barred\" is not permitted to log in.");
    }

    @Test
    void aWrongOrMissingPasswordIsOneSentenceThatDoesNotShowIt() {
        try (Database database = Database.open(DatabaseOptions.of(url))) {
            database.useHandle(handle -> handle.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'"));
        }
        DatabaseUrl guarded =
                new DatabaseUrl(url.host(), url.port(), url.database(), "guarded", "right", url.parameters());

        Database.open(DatabaseOptions.of(guarded)).close();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Database.open(DatabaseOptions.of(guarded.withPassword("hunter2"))))
                .withMessage("PostgreSQL at " + url.address() + " refuses the password of user guarded.");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Database.open(DatabaseOptions.of(guarded.withPassword(""))))
                .withMessageContaining("password");
    }

    @Test
    void aServerWithoutTlsIsRefusedWhereTlsIsRequired() {
        DatabaseUrl encrypted =
                new DatabaseUrl(url.host(), url.port(), url.database(), url.user(), "", Map.of("sslmode", "require"));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Database.open(DatabaseOptions.of(encrypted)))
                .withMessageStartingWith("PostgreSQL at " + url.address() + " refuses the connection: ");
    }

    private static String string(Database database, String sql) {
        return database.withHandle(
                handle -> handle.createQuery(sql).mapTo(String.class).one());
    }
}
