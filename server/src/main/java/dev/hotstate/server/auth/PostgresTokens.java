package dev.hotstate.server.auth;

import dev.hotstate.server.http.Caller;
import dev.hotstate.server.http.Role;
import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens and sessions in PostgreSQL. */
final class PostgresTokens {
    // Somebody who signs in again and again ends his own oldest sessions, and the table stays bounded.
    private static final int SESSIONS_A_TOKEN = 20;

    private final Database database;

    PostgresTokens(Database database) {
        this.database = database;
    }

    /** False when the name is taken. */
    boolean insert(Token token, byte[] hash) {
        return database.withHandle(handle -> handle.createUpdate("""
                                INSERT INTO api_token (id, name, role, hash, created_at, expires_at)
                                VALUES (:id, :name, :role, :hash, :created_at, :expires_at)
                                ON CONFLICT (name) DO NOTHING""")
                        .bind("id", token.id())
                        .bind("name", token.name())
                        .bind("role", token.role().text())
                        .bind("hash", hash)
                        .bind("created_at", utc(token.createdAt()))
                        .bindByType("expires_at", utc(token.expiresAt()), OffsetDateTime.class)
                        .execute())
                == 1;
    }

    /** In the order of their ids, those after the given one. */
    List<Token> list(String after, int limit) {
        return database.withHandle(handle -> handle.createQuery("""
                        SELECT id, name, role, created_at, expires_at, last_used_at FROM api_token
                        WHERE id > :after ORDER BY id LIMIT :limit""")
                .bind("after", after)
                .bind("limit", limit)
                .map((row, context) -> token(row))
                .list());
    }

    /** False when there is none of that id. Its sessions go with it. */
    boolean delete(String id) {
        return database.withHandle(handle -> handle.createUpdate("DELETE FROM api_token WHERE id = :id")
                        .bind("id", id)
                        .execute())
                == 1;
    }

    boolean anyValid(Instant now) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT EXISTS (SELECT FROM api_token WHERE expires_at IS NULL OR expires_at > :now)")
                .bind("now", utc(now))
                .mapTo(boolean.class)
                .one());
    }

    /** Every token and session that is valid now. */
    List<Credential> credentials(Instant now) {
        return database.withHandle(handle -> handle.createQuery("""
                        SELECT t.hash, false AS session, t.id, t.role, t.name, t.expires_at
                        FROM api_token t WHERE t.expires_at IS NULL OR t.expires_at > :now
                        UNION ALL
                        SELECT s.hash, true, t.id, t.role, t.name, least(s.expires_at, t.expires_at)
                        FROM api_session s JOIN api_token t ON t.id = s.token_id
                        WHERE s.expires_at > :now AND (t.expires_at IS NULL OR t.expires_at > :now)""")
                .bind("now", utc(now))
                .map((row, context) -> credential(row))
                .list());
    }

    void insertSession(byte[] hash, String tokenId, Instant now, Instant expiresAt) {
        database.useTransaction(handle -> {
            handle.createUpdate("""
                            INSERT INTO api_session (hash, token_id, created_at, expires_at)
                            VALUES (:hash, :token, :now, :expires_at)""")
                    .bind("hash", hash)
                    .bind("token", tokenId)
                    .bind("now", utc(now))
                    .bind("expires_at", utc(expiresAt))
                    .execute();
            handle.createUpdate("""
                            DELETE FROM api_session WHERE expires_at <= :now OR hash IN (
                                SELECT hash FROM api_session WHERE token_id = :token
                                ORDER BY created_at DESC, hash OFFSET :most)""")
                    .bind("now", utc(now))
                    .bind("token", tokenId)
                    .bind("most", SESSIONS_A_TOKEN)
                    .execute();
        });
    }

    void deleteSession(byte[] hash) {
        database.useHandle(handle -> handle.createUpdate("DELETE FROM api_session WHERE hash = :hash")
                .bind("hash", hash)
                .execute());
    }

    /** Deletes the tokens and sessions that are no longer valid; answers how many of both. */
    int deleteExpired(Instant now) {
        return database.inTransaction(handle -> handle.createUpdate("DELETE FROM api_session WHERE expires_at <= :now")
                        .bind("now", utc(now))
                        .execute()
                + handle.createUpdate("DELETE FROM api_token WHERE expires_at <= :now")
                        .bind("now", utc(now))
                        .execute());
    }

    /** Notes that tokens were used, at most once a minute each. */
    void touch(Collection<String> ids, Instant now) {
        database.useHandle(handle -> handle.createUpdate("""
                        UPDATE api_token SET last_used_at = :now
                        WHERE id = ANY (:ids)
                        AND (last_used_at IS NULL OR last_used_at < :now - interval '1 minute')""")
                .bindArray("ids", String.class, ids)
                .bind("now", utc(now))
                .execute());
    }

    private static Token token(ResultSet row) throws SQLException {
        return new Token(
                row.getString("id"),
                row.getString("name"),
                Role.of(row.getString("role")),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                instant(row, "expires_at"),
                instant(row, "last_used_at"));
    }

    private static Credential credential(ResultSet row) throws SQLException {
        return new Credential(
                row.getBytes("hash"),
                row.getBoolean("session"),
                row.getString("id"),
                new Caller(Role.of(row.getString("role")), row.getString("name")),
                instant(row, "expires_at"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        var time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static @Nullable OffsetDateTime utc(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }
}
