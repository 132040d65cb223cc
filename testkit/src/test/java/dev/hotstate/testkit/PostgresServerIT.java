package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresServerIT {

    @Test
    void aFreshDatabaseIsEmptyAndItsOwn() throws SQLException {
        try (var postgres = PostgresServer.start()) {
            PostgresDatabase one = postgres.freshDatabase();
            PostgresDatabase other = postgres.freshDatabase();
            execute(one, "CREATE TABLE t (v text)");

            assertThat(tables(one)).isEqualTo(1);
            assertThat(tables(other)).isZero();
        }
    }

    @Test
    void committedRowsSurviveAKillAndARestartOnTheSamePort() throws SQLException {
        try (var postgres = PostgresServer.start()) {
            PostgresDatabase database = postgres.freshDatabase();
            execute(database, "CREATE TABLE t (v text)");
            try (Connection open = database.connect()) {
                postgres.kill();
                assertThat(open.isValid(1)).isFalse();
            }
            assertThatThrownBy(database::connect)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("refused");

            postgres.restart();
            assertThat(tables(database)).isEqualTo(1);

            postgres.restart();
            assertThat(tables(database))
                    .as("a running server can be restarted too")
                    .isEqualTo(1);
        }
    }

    @Test
    void aPausedServerAnswersNothingUntilItIsResumed() throws SQLException {
        try (var postgres = PostgresServer.start();
                Connection open = DriverManager.getConnection(postgres.jdbcUrl())) {
            open.setNetworkTimeout(Runnable::run, 200);
            postgres.pause();
            assertThatThrownBy(() -> open.createStatement().execute("SELECT 1"))
                    .rootCause()
                    .isInstanceOf(java.net.SocketTimeoutException.class);

            postgres.resume();
            assertThat(tables(postgres.freshDatabase())).isZero();
        }
    }

    @Test
    void aRoleWithAPasswordMustShowIt() throws SQLException {
        try (var postgres = PostgresServer.start()) {
            execute(postgres.freshDatabase(), "CREATE ROLE reader LOGIN PASSWORD 'secret'");
            String url = "jdbc:postgresql://localhost:" + postgres.port() + "/postgres";

            DriverManager.getConnection(url, "reader", "secret").close();
            assertThatThrownBy(() -> DriverManager.getConnection(url, "reader", "wrong"))
                    .hasMessageContaining("password authentication failed");
        }
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

    private static void execute(PostgresDatabase database, String sql) throws SQLException {
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
