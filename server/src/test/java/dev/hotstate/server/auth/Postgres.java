package dev.hotstate.server.auth;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jdbi.v3.core.Jdbi;

/** A real PostgreSQL with the server's tables, for one test class. */
final class Postgres implements AutoCloseable {
    private final EmbeddedPostgres server;
    private final Jdbi jdbi;

    Postgres() {
        try (var migration = Postgres.class.getResourceAsStream("/db/migration/server/V1__tokens.sql")) {
            this.server = EmbeddedPostgres.builder().start();
            this.jdbi = Jdbi.create(server.getPostgresDatabase());
            var sql = new String(migration.readAllBytes(), StandardCharsets.UTF_8);
            jdbi.useHandle(handle -> handle.createScript(sql).execute());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Jdbi jdbi() {
        return jdbi;
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
