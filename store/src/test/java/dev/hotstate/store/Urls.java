package dev.hotstate.store;

import dev.hotstate.testkit.PostgresDatabase;

/** The testkit's databases as the store names them. */
final class Urls {
    private Urls() {}

    static DatabaseUrl of(PostgresDatabase database) {
        return DatabaseUrl.parse(database.jdbcUrl());
    }
}
