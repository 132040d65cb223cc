package dev.hotstate.monitors;

import dev.hotstate.store.Database;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintenance windows in PostgreSQL. They are few, so whoever finds a new version reads all of them. */
final class PostgresWindows {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresWindows.class);
    private static final String OF = "windows";

    private final Database database;

    PostgresWindows(Database database) {
        this.database = database;
    }

    /** @param version of the last change */
    record Snapshot(long version, List<Window> windows) {}

    long version() {
        return database.withHandle(handle -> PostgresVersion.read(handle, OF).last());
    }

    Snapshot newest() {
        // The version first: a change that comes between is then read once more, and none is missed.
        return database.withHandle(
                handle -> new Snapshot(PostgresVersion.read(handle, OF).last(), all(handle)));
    }

    /**
     * @param check may object to those that are there, by an exception; no other writer comes between
     * @return false if there is one of that id
     */
    boolean insert(Instant now, Window window, Consumer<List<Window>> check) {
        return database.inTransaction(handle -> {
            var mark = PostgresVersion.lock(handle, OF);
            check.accept(all(handle));
            int rows = handle.createUpdate("INSERT INTO monitors_windows (id, document, ends_at, created_at)"
                            + " VALUES (:id, cast(:document AS json), :ends_at, :now) ON CONFLICT DO NOTHING")
                    .bind("id", window.id())
                    .bind("document", DocumentJson.write(WindowDocument.of(window)))
                    .bindByType("ends_at", endsAt(window), OffsetDateTime.class)
                    .bind("now", now.atOffset(ZoneOffset.UTC))
                    .execute();
            PostgresVersion.move(handle, OF, mark.last() + rows);
            return rows > 0;
        });
    }

    boolean delete(String id) {
        return deleted("id = :value", id) > 0;
    }

    /** Forgets windows that ended before that time. */
    int purge(Instant before) {
        return deleted("ends_at < :value", before.atOffset(ZoneOffset.UTC));
    }

    private int deleted(String condition, Object value) {
        return database.inTransaction(handle -> {
            var mark = PostgresVersion.lock(handle, OF);
            int rows = handle.createUpdate("DELETE FROM monitors_windows WHERE " + condition)
                    .bind("value", value)
                    .execute();
            if (rows > 0) {
                PostgresVersion.move(handle, OF, mark.last() + 1);
            }
            return rows;
        });
    }

    private static List<Window> all(Handle handle) {
        return handle
                .createQuery("SELECT id, document FROM monitors_windows ORDER BY created_at, id")
                .map((row, context) -> window(row.getString("id"), row.getString("document")))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** One that cannot be understood is told of and left out; an alert too many is better than none. */
    private static Optional<Window> window(String id, String document) {
        try {
            return Optional.of(DocumentJson.read(document, WindowDocument.class).toWindow());
        } catch (IllegalArgumentException wrong) {
            LOG.error("The maintenance window {} cannot be read, and does not hold: {}", id, wrong.getMessage());
            return Optional.empty();
        }
    }

    private static @Nullable OffsetDateTime endsAt(Window window) {
        return window.schedule() instanceof Schedule.Once once ? once.endsAt().atOffset(ZoneOffset.UTC) : null;
    }
}
