package dev.hotstate.server.limits;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.hotstate.server.http.Json;
import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Versions of the rules in PostgreSQL: the newest is in force, the last hundred are kept. */
final class PostgresRules {
    private static final int KEPT = 100;
    private static final TypeReference<List<@Nullable RuleDocument>> DOCUMENTS = new TypeReference<>() {};

    private final Database database;

    PostgresRules(Database database) {
        this.database = database;
    }

    /** Of the newest; 0 when there is none. */
    long version() {
        return database.withHandle(handle -> handle.createQuery("SELECT coalesce(max(version), 0) FROM limits_rules")
                .mapTo(long.class)
                .one());
    }

    RuleSet newest() {
        return database.withHandle(PostgresRules::newest);
    }

    /** Empty when it is not kept any more, or never was. */
    Optional<RuleSet> find(long version) {
        if (version == 0) {
            return Optional.of(RuleSet.NONE);
        }
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT version, rules, created_at, created_by FROM limits_rules WHERE version = :version")
                .bind("version", version)
                .map((row, context) -> set(row))
                .findOne());
    }

    /**
     * Puts what the step makes of the newest set in its place. One after the other, over all instances: the step sees what
     * no other writer can change before this one is done. When it answers the same set, or throws, nothing is written.
     */
    RuleSet replace(UnaryOperator<RuleSet> step) {
        return database.inTransaction(handle -> {
            handle.execute("LOCK TABLE limits_rules IN SHARE ROW EXCLUSIVE MODE");
            var newest = newest(handle);
            var next = step.apply(newest);
            if (next.version() != newest.version()) {
                insert(handle, next);
            }
            return next;
        });
    }

    private static RuleSet newest(Handle handle) {
        return handle.createQuery(
                        "SELECT version, rules, created_at, created_by FROM limits_rules ORDER BY version DESC LIMIT 1")
                .map((row, context) -> set(row))
                .findOne()
                .orElse(RuleSet.NONE);
    }

    private static void insert(Handle handle, RuleSet set) {
        handle.createUpdate("""
                        INSERT INTO limits_rules (version, rules, created_at, created_by)
                        VALUES (:version, cast(:rules AS jsonb), :created_at, :created_by)""")
                .bind("version", set.version())
                .bind("rules", Json.text(set.documents()))
                .bind("created_at", Objects.requireNonNull(set.createdAt()).atOffset(ZoneOffset.UTC))
                .bind("created_by", set.createdBy())
                .execute();
        handle.createUpdate("DELETE FROM limits_rules WHERE version <= :version - :kept")
                .bind("version", set.version())
                .bind("kept", KEPT)
                .execute();
    }

    private static RuleSet set(ResultSet row) throws SQLException {
        var documents = RuleSet.checked(Json.read(row.getString("rules"), DOCUMENTS));
        Instant createdAt = row.getObject("created_at", OffsetDateTime.class).toInstant();
        return new RuleSet(row.getLong("version"), documents, createdAt, row.getString("created_by"));
    }
}
