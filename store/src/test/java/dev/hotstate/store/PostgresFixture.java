package dev.hotstate.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One real PostgreSQL for the whole run, and a fresh, empty database for each test that takes a {@link DatabaseUrl}. */
final class PostgresFixture implements ParameterResolver {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    static EmbeddedPostgres server() {
        return Server.RUNNING;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == DatabaseUrl.class;
    }

    @Override
    public DatabaseUrl resolveParameter(ParameterContext parameter, ExtensionContext test) {
        String name = "test_" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return DatabaseUrl.parse("postgres://postgres@localhost:" + server().getPort() + "/" + name);
    }

    /** Runs a statement as the superuser, in the database "postgres". */
    static void execute(String sql) {
        try (Connection connection = server().getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The one string that a query answers. */
    static String query(String sql) {
        try (Connection connection = server().getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return answer.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static final class Server {
        private static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder().setRegisterShutdownHook(true).start();
            } catch (IOException e) {
                throw new IllegalStateException("PostgreSQL does not start", e);
            }
        }
    }
}
