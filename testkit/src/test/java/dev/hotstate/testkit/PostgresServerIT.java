package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PostgresServerIT {
    private static final PostgresServer POSTGRES = PostgresServer.start();
    private final PostgresDatabase database = POSTGRES.freshDatabase();

    @AfterAll
    static void close() {
        POSTGRES.close();
    }

    @Test
    void aFreshDatabaseIsEmptyAndItsOwn() throws SQLException {
        PostgresDatabase other = POSTGRES.freshDatabase();
        execute("CREATE TABLE t (v text)");

        assertThat(tables(database)).isEqualTo(1);
        assertThat(tables(other)).isZero();
    }

    @Test
    void aDroppedDatabaseIsGoneThoughSomeoneIsConnected() throws SQLException {
        try (Connection connected = database.connect()) {
            POSTGRES.drop(database);
            assertThat(connected.isValid(1)).isFalse();
        }
        assertThatThrownBy(database::connect).hasMessageContaining("does not exist");
    }

    @Test
    void committedRowsSurviveAKillAndARestartOnTheSamePort() throws SQLException {
        execute("CREATE TABLE t (v text)");
        try (Connection connected = database.connect()) {
            POSTGRES.kill();
            assertThat(connected.isValid(1)).isFalse();
        }
        assertThatThrownBy(database::connect).hasMessageContaining("refused");

        POSTGRES.restart();
        assertThat(tables(database)).isEqualTo(1);
    }

    @Test
    void aRunningServerCanBeRestarted() throws SQLException {
        long before = POSTGRES.pid();
        try (Connection connected = database.connect()) {
            POSTGRES.restart();
            assertThat(connected.isValid(1)).isFalse();
        }
        assertThat(POSTGRES.pid()).isNotEqualTo(before);
        assertThat(tables(database)).isZero();
    }

    @Test
    void aPausedServerAnswersNothingUntilItIsResumed() throws SQLException {
        try (Connection connected = database.connect()) {
            connected.setNetworkTimeout(Runnable::run, 200);
            POSTGRES.pause();
            assertThatThrownBy(() -> connected.createStatement().execute("SELECT 1"))
                    .rootCause()
                    .isInstanceOf(SocketTimeoutException.class);
        } finally {
            POSTGRES.resume();
        }
        assertThat(tables(database)).isZero();
    }

    @Test
    void aRoleWithAPasswordMustShowIt() throws SQLException {
        execute("CREATE ROLE reader LOGIN PASSWORD 'secret'");
        String url = "jdbc:postgresql://localhost:" + POSTGRES.port() + "/postgres";

        DriverManager.getConnection(url, "reader", "secret").close();
        assertThatThrownBy(() -> DriverManager.getConnection(url, "reader", "wrong"))
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void aPausedServerCanBeClosedAndLeavesNoProcess() {
        var postgres = PostgresServer.start();
        ProcessHandle postmaster = ProcessHandle.of(postgres.pid()).orElseThrow();
        List<ProcessHandle> children = postmaster.descendants().toList();
        postgres.pause();

        postgres.close();

        assertThat(children).isNotEmpty().allMatch(Signals::isGone);
        assertThat(postmaster).matches(Signals::isGone);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.createStatement().execute(sql);
        }
    }

    private static int tables(PostgresDatabase database) throws SQLException {
        try (Connection connection = database.connect()) {
            var count = connection
                    .createStatement()
                    .executeQuery("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'");
            count.next();
            return count.getInt(1);
        }
    }
}
