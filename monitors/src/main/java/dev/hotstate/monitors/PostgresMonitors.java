package dev.hotstate.monitors;

import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.store.Batch;
import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Definitions in PostgreSQL. */
final class PostgresMonitors {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresMonitors.class);
    private static final String OF = "definitions";
    // Rows are fetched in portions, so that 100,000 documents are never in the driver's memory at once.
    private static final int PORTION = 2_000;
    private static final String COLUMNS =
            "SELECT id, version, since, document, ping_key, applied, deleted, created_at, updated_at FROM monitors_definitions";
    private static final Batch<Definition> ROWS = Batch.<Definition>into("monitors_definitions")
            .key("id", "text", Definition::id)
            .version("version", "bigint", Definition::version)
            .column("since", "bigint", Definition::since)
            .column("document", "json", definition -> DocumentJson.write(MonitorDocument.of(definition.monitor())))
            .column("ping_key", "text", Definition::pingKey)
            .column("applied", "boolean", Definition::applied)
            .column("deleted", "boolean", Definition::deleted)
            .column("created_at", "timestamptz", Definition::createdAt)
            .column("updated_at", "timestamptz", Definition::updatedAt);

    private final Database database;
    private final PostgresIncidents incidents;

    PostgresMonitors(Database database) {
        this.database = database;
        this.incidents = new PostgresIncidents(database, new PostgresOutbox(database));
    }

    /** One unit of work that no other writer of any instance can come between; nothing of it stays if it throws. */
    interface Work<R> {
        R with(Writing writing);
    }

    /**
     * What a writer holds: the lock on the versions, and with it the promise that nothing changes under it.
     *
     * @param mark of before
     */
    record Writing(Handle handle, PostgresVersion.Mark mark, PostgresIncidents incidents) {
        void write(Collection<Definition> definitions) {
            long last =
                    definitions.stream().mapToLong(Definition::version).max().orElse(mark.last());
            ROWS.upsert(handle, definitions);
            PostgresVersion.move(handle, OF, last);
            abandonIncidents(definitions);
        }

        /** Also of what is made anew: the incident of the one before under its id is not its own. */
        private void abandonIncidents(Collection<Definition> definitions) {
            List<Definition> others = definitions.stream()
                    .filter(definition -> definition.deleted() || definition.since() == definition.version())
                    .toList();
            if (!others.isEmpty()) {
                incidents.abandon(
                        handle,
                        others.stream().map(Definition::id).toList(),
                        others.getLast().updatedAt());
            }
        }
    }

    <R> R write(Work<R> work) {
        return database.inTransaction(
                handle -> work.with(new Writing(handle, PostgresVersion.lock(handle, OF), incidents)));
    }

    PostgresVersion.Mark mark() {
        return database.withHandle(handle -> PostgresVersion.read(handle, OF));
    }

    /** What has changed since that version, in the order of versions; deleted ones among them. */
    List<Definition> since(long version) {
        return database.inTransaction(handle -> since(handle, version));
    }

    List<Definition> since(Handle handle, long version) {
        List<Definition> found = new ArrayList<>();
        List<Row> portion = new ArrayList<>();
        try (var rows = handle.createQuery(COLUMNS + " WHERE version > :version ORDER BY version")
                .bind("version", version)
                .setFetchSize(PORTION)
                .map((row, context) -> Row.of(row))
                .iterator()) {
            while (rows.hasNext()) {
                portion.add(rows.next());
                if (portion.size() == PORTION || !rows.hasNext()) {
                    // On all cores: at a start nothing can be watched before it is understood.
                    portion.parallelStream()
                            .map(Row::definition)
                            .flatMap(Optional::stream)
                            .forEachOrdered(found::add);
                    portion.clear();
                }
            }
        }
        return found;
    }

    /** By which history knows those that are not deleted, also of rows that cannot be understood here. */
    Set<String> historyNames() {
        return database.withHandle(
                handle -> handle.createQuery("SELECT id, since FROM monitors_definitions WHERE NOT deleted")
                        .map((row, context) -> Definition.historyName(row.getString("id"), row.getLong("since")))
                        .set());
    }

    /**
     * Forgets what was deleted before that time.
     *
     * @return how many
     */
    int purge(Instant before) {
        return database.inTransaction(handle -> {
            PostgresVersion.lock(handle, OF);
            List<Long> versions = handle.createQuery(
                            "DELETE FROM monitors_definitions WHERE deleted AND updated_at < :before RETURNING version")
                    .bind("before", before.atOffset(ZoneOffset.UTC))
                    .mapTo(Long.class)
                    .list();
            versions.stream().max(Long::compare).ifPresent(last -> PostgresVersion.purged(handle, OF, last));
            return versions.size();
        });
    }

    /** As PostgreSQL has it, not understood yet. */
    private record Row(
            String id,
            String document,
            long version,
            long since,
            String pingKey,
            boolean applied,
            boolean deleted,
            Instant createdAt,
            Instant updatedAt) {
        static Row of(ResultSet row) throws SQLException {
            return new Row(
                    row.getString("id"),
                    row.getString("document"),
                    row.getLong("version"),
                    row.getLong("since"),
                    row.getString("ping_key"),
                    row.getBoolean("applied"),
                    row.getBoolean("deleted"),
                    time(row, "created_at"),
                    time(row, "updated_at"));
        }

        /** One that cannot be understood is told of and left out; it must not keep the others from being watched. */
        Optional<Definition> definition() {
            try {
                var read = DocumentJson.read(document, MonitorDocument.class);
                return Optional.of(new Definition(
                        read.toMonitor(), version, since, pingKey, applied, deleted, createdAt, updatedAt));
            } catch (IllegalArgumentException wrong) {
                LOG.error("The monitor {} cannot be read, and is not watched: {}", id, wrong.getMessage());
                return Optional.empty();
            }
        }
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getObject(column, OffsetDateTime.class))
                .toInstant();
    }
}
