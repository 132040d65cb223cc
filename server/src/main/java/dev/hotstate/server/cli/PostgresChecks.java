package dev.hotstate.server.cli;

import dev.hotstate.server.config.ServerUrl;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/** What the doctor asks of PostgreSQL. */
final class PostgresChecks {
    private static final int OLDEST = 14;
    private static final String CHECK = "postgres";

    private final ServerUrl url;

    PostgresChecks(ServerUrl url) {
        this.url = url;
    }

    List<Finding> findings() {
        var patience = new Properties();
        patience.setProperty("connectTimeout", "3");
        patience.setProperty("socketTimeout", "3");
        try (var connection = DriverManager.getConnection(url.text(), patience)) {
            var about = connection.getMetaData();
            return List.of(version(about.getDatabaseMajorVersion(), about.getDatabaseProductVersion()));
        } catch (SQLException refused) {
            return List.of(Finding.fail(
                    CHECK,
                    "cannot use " + url + ": " + FirstCause.of(refused),
                    "check that it runs there and that user, password and database are right"));
        }
    }

    static Finding version(int major, String version) {
        return major >= OLDEST
                ? Finding.ok(CHECK, "PostgreSQL " + version + " answers")
                : Finding.fail(
                        CHECK, "PostgreSQL " + version + " is too old", "use PostgreSQL " + OLDEST + " or later");
    }
}
