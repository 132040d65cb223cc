package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.PostgresServer;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class PostgresCheckIT {

    @Test
    void aPostgresIsAskedAsItsUrlSays() throws Exception {
        try (var checker = Checker.open(CheckerOptions.DEFAULTS, InstantSource.system());
                var server = PostgresServer.start()) {
            try (var connection = DriverManager.getConnection(server.jdbcUrl());
                    var statement = connection.createStatement()) {
                statement.execute("CREATE ROLE watcher LOGIN PASSWORD 'p@ss word'");
            }
            String address = "localhost:" + server.port();
            assertThat(check(checker, server.jdbcUrl()).error()).isNull();
            assertThat(check(checker, "postgres://watcher:p%40ss%20word@" + address + "/postgres")
                            .error())
                    .isNull();

            Outcome denied = check(checker, "postgres://watcher:wrong@" + address + "/postgres");
            assertThat(denied.error()).contains("password authentication failed for user \"watcher\"");
            assertThat(denied.retryable()).isFalse();

            Outcome missing = check(checker, "postgres://postgres@" + address + "/nowhere");
            assertThat(missing.error()).contains("database \"nowhere\" does not exist");
            assertThat(missing.retryable()).isFalse();

            Outcome plain = check(checker, "postgres://postgres@" + address + "/postgres?sslmode=require");
            assertThat(plain.error()).contains("does not support SSL");

            server.pause();
            assertThat(checker.check(CheckSpec.of(CheckType.POSTGRES, server.jdbcUrl(), Duration.ofMillis(400)))
                            .error())
                    .isEqualTo("timed out after 400ms while asking the PostgreSQL at " + address);
            server.resume();

            server.kill();
            assertThat(check(checker, server.jdbcUrl()).error()).isEqualTo("connection to " + address + " refused");
        }
    }

    private static Outcome check(Checker checker, String url) {
        return checker.check(CheckSpec.of(CheckType.POSTGRES, url, Duration.ofSeconds(30)));
    }
}
