package dev.hotstate.drivers;

import dev.hotstate.store.Database;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What is decided of drivers. Each decision makes the driver's version greater in the transaction that it is of. */
final class PostgresTruth {
    /** What Redis was told in the last seconds may be noted here only then. */
    private static final String OVERDUE = "interval '3 s'";

    /** Redis has to know it from now on, also one that it had let go of. */
    static final String DECIDED = " version = version + 1, decided_at = clock_timestamp(), forgotten = false";

    private final Database database;

    PostgresTruth(Database database) {
        this.database = database;
    }

    /** A reservation ends where it is BUSY or OFFLINE from now on. Empty where there is no such row. */
    Optional<StoredDriver> mark(String id, Status status) {
        return database.inTransaction(handle -> {
            if (lock(handle, List.of(id)).isEmpty()) {
                return Optional.empty();
            }
            if (status != Status.AVAILABLE) {
                handle.execute(
                        "UPDATE drivers_reservations SET state = 'CANCELLED', ended_at = clock_timestamp()"
                                + " WHERE driver_id = ? AND state = 'HELD'",
                        id);
            }
            setStatus(handle, id, status);
            return Optional.of(read(handle, id));
        });
    }

    /** Says who a driver is; makes a row of one that is unknown. */
    StoredDriver describe(String id, Profile profile) {
        return database.inTransaction(handle -> {
            handle.createUpdate("INSERT INTO drivers_drivers AS present"
                            + " (id, region, status, since, name, vehicle, rating, tags, version)"
                            + " VALUES (:id, :region, 'OFFLINE', clock_timestamp(), :name, :vehicle, :rating, :tags, 1)"
                            + " ON CONFLICT (id) DO UPDATE SET name = excluded.name, vehicle = excluded.vehicle,"
                            + " rating = excluded.rating, tags = excluded.tags, version = present.version + 1,"
                            + " decided_at = clock_timestamp(), forgotten = false")
                    .bind("id", id)
                    .bind("region", Region.DEFAULT)
                    .bind("name", profile.name())
                    .bind("vehicle", profile.vehicle())
                    .bind("rating", profile.rating())
                    .bindArray("tags", String.class, profile.tags())
                    .execute();
            return read(handle, id);
        });
    }

    /** Decisions that Redis is not known to have heard of, though it should by now; another instance sees to others. */
    List<StoredDriver> untold(int limit) {
        return database.inTransaction(handle -> {
            List<String> ids = handle.createQuery("UPDATE drivers_drivers SET decided_at = clock_timestamp()"
                            + " WHERE id IN (SELECT id FROM drivers_drivers WHERE synced < version"
                            + " AND decided_at < clock_timestamp() - " + OVERDUE
                            + " ORDER BY decided_at LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING id")
                    .bind("limit", limit)
                    .mapTo(String.class)
                    .list();
            return read(handle, ids);
        });
    }

    /** Redis has heard of these versions, by id. */
    void told(Map<String, Long> versions) {
        if (versions.isEmpty()) {
            return;
        }
        List<String> ids = versions.keySet().stream().sorted().toList();
        database.useHandle(handle -> handle.createUpdate("UPDATE drivers_drivers d SET synced = told.version"
                        + " FROM unnest(:ids::text[], :versions::bigint[]) AS told (id, version)"
                        + " WHERE d.id = told.id AND d.synced < told.version")
                .bindArray("ids", String.class, ids)
                .bindArray(
                        "versions", Long.class, ids.stream().map(versions::get).toList())
                .execute());
    }

    /** Locks the rows of those that there are, in the order of their ids. */
    static List<StoredDriver> lock(Handle handle, List<String> ids) {
        return handle.createQuery(PostgresRows.SELECT + " WHERE d.id = ANY(:ids) ORDER BY d.id FOR UPDATE OF d")
                .bindArray("ids", String.class, ids)
                .map(PostgresRows::driver)
                .list();
    }

    /** Who is AVAILABLE by request has given a sign of life. */
    static void setStatus(Handle handle, String id, Status status) {
        handle.createUpdate("UPDATE drivers_drivers SET status = :status, chosen = :chosen,"
                        + " last_active_at = CASE WHEN :status = 'AVAILABLE' THEN clock_timestamp() ELSE last_active_at END,"
                        + " ruled = version + 1, since = CASE WHEN status = :status THEN since ELSE date_trunc('milliseconds', clock_timestamp()) END,"
                        + DECIDED
                        + " WHERE id = :id")
                .bind("id", id)
                .bind("status", status.name())
                .bind("chosen", status == Status.OFFLINE)
                .execute();
    }

    static void decided(Handle handle, List<String> ids) {
        if (ids.isEmpty()) {
            return;
        }
        handle.createUpdate("UPDATE drivers_drivers SET" + DECIDED + " WHERE id = ANY(:ids)")
                .bindArray("ids", String.class, ids)
                .execute();
    }

    static StoredDriver read(Handle handle, String id) {
        return read(handle, List.of(id)).getFirst();
    }

    static List<StoredDriver> read(Handle handle, List<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        return handle.createQuery(PostgresRows.SELECT + " WHERE d.id = ANY(:ids) ORDER BY d.id")
                .bindArray("ids", String.class, ids)
                .map(PostgresRows::driver)
                .list();
    }
}
