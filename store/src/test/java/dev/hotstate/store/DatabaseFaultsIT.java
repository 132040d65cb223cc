package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.Partition;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A PostgreSQL of its own, to be killed and paused. */
@Timeout(60)
class DatabaseFaultsIT {
    private final PostgresServer server = PostgresServer.start();
    private final Database database = Database.open(options());

    @AfterEach
    void close() {
        database.close();
        server.close();
    }

    @Test
    void thePoolRecoversByItselfWhenAKilledPostgresIsBack() {
        assertThat(select(7)).isEqualTo(7);

        server.kill();
        // The first ones find a connection that is broken, the others none at all.
        for (int i = 0; i < 6; i++) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> select(7))
                    .withMessageStartingWith("PostgreSQL at localhost:" + server.port());
        }
        assertThat(database.health()).isInstanceOf(DatabaseHealth.Down.class);

        server.restart();
        Eventually.until("the database is up", () -> database.health() instanceof DatabaseHealth.Up);
        assertThat(select(8)).isEqualTo(8);
    }

    @Test
    void healthAnswersWhilePostgresIsPausedHoweverPatientTheOthersAre() throws Exception {
        DatabaseOptions patient =
                options().withConnectTimeout(Duration.ofMinutes(30)).withQueryTimeout(Duration.ofMinutes(30));
        try (Database database = Database.open(patient)) {
            assertThat(database.health()).isInstanceOf(DatabaseHealth.Up.class);
            server.pause();
            try (ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
                Callable<DatabaseHealth> ask = database::health;
                for (Future<DatabaseHealth> answer : askers.invokeAll(Collections.nCopies(20, ask))) {
                    assertThat(answer.get())
                            .isInstanceOfSatisfying(
                                    DatabaseHealth.Down.class,
                                    down -> assertThat(down.reason())
                                            .startsWith("PostgreSQL at localhost:" + server.port()));
                }
            } finally {
                server.resume();
            }

            Eventually.until("the database is up", () -> database.health() instanceof DatabaseHealth.Up);
        }
    }

    @Test
    void openingAPausedPostgresIsGivenUpAndClosingItDoesNotHang() {
        server.pause();
        try {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> Database.open(options()))
                    .withMessageEndingWith("did not answer within 1 s.");
            database.close();
        } finally {
            server.resume();
        }
    }

    @Test
    void aPostgresThatDiesUnderAStatementOrATransactionIsUnavailable() {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> database.useHandle(handle -> {
                    handle.execute("SELECT 1");
                    server.kill();
                    handle.execute("SELECT 1");
                }));
        server.restart();
        Eventually.until("the database is up", () -> database.health() instanceof DatabaseHealth.Up);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> database.useTransaction(handle -> {
                    handle.execute("SELECT 1");
                    server.kill();
                }));
    }

    @Test
    void theLedgerOfALostPostgresIsUnavailable() {
        database.migrate(List.of(PostgresLedger.migrations()));
        PostgresLedger ledger = new PostgresLedger(database);
        ledger.heartbeat("one", List.of("errands"));

        server.kill();

        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> ledger.heartbeat("one", List.of("errands")));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> ledger.enroll("errands", List.of(new Partition("e0")), "one"));
    }

    private DatabaseOptions options() {
        return DatabaseOptions.of("postgres://postgres@localhost:" + server.port() + "/postgres")
                .withConnectTimeout(Duration.ofSeconds(1))
                .withMaxConnections(4);
    }

    private int select(int number) {
        return database.withHandle(handle -> handle.createQuery("SELECT :number")
                .bind("number", number)
                .mapTo(Integer.class)
                .one());
    }
}
