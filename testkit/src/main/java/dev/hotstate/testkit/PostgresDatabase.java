package dev.hotstate.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** One database of a {@link PostgresServer}. */
public record PostgresDatabase(String name, String jdbcUrl, String user, String password) {

    /** A new connection, which the caller closes. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl, user, password);
    }
}
