package dev.hotstate.drivers;

import dev.hotstate.store.Database;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The rows of drivers: who there is, and in which region. */
final class PostgresDrivers {
    private final Database database;

    PostgresDrivers(Database database) {
        this.database = database;
    }

    Optional<StoredDriver> find(String id) {
        return Optional.ofNullable(findAll(List.of(id)).get(id));
    }

    /** Those that there are, by id. */
    Map<String, StoredDriver> findAll(Collection<String> ids) {
        Map<String, StoredDriver> found = new HashMap<>();
        database.useHandle(handle -> handle.createQuery(PostgresRows.SELECT + " WHERE d.id = ANY(:ids)")
                .bindArray("ids", String.class, ids)
                .map(PostgresRows::driver)
                .forEach(driver -> found.put(driver.id(), driver)));
        return found;
    }

    /** Makes a row for each that has none: in this region, and nothing else is known of it. */
    void enter(Map<String, String> regions) {
        if (!regions.isEmpty()) {
            database.useHandle(handle -> enter(handle, regions, 1));
        }
    }

    /** As {@link #enter(Map)}, for one that Redis has there in this epoch. */
    void enter(String id, String region, long epoch) {
        database.useHandle(handle -> enter(handle, Map.of(id, region), epoch));
    }

    private static void enter(Handle handle, Map<String, String> regions, long epoch) {
        // In the order of their ids, because two that enter the same ones in different orders could wait for each
        // other. In whole milliseconds, as Redis's times are: the fix that it is entered for must not seem to be
        // earlier.
        List<String> ids = regions.keySet().stream().sorted().toList();
        handle.createUpdate("INSERT INTO drivers_drivers (id, region, epoch, status, since)"
                        + " SELECT id, region, :epoch, 'OFFLINE', date_trunc('milliseconds', now())"
                        + " FROM unnest(:ids::text[], :regions::text[]) AS fresh (id, region)"
                        + " ON CONFLICT (id) DO NOTHING")
                .bindArray("ids", String.class, ids)
                .bindArray(
                        "regions", String.class, ids.stream().map(regions::get).toList())
                .bind("epoch", epoch)
                .execute();
    }

    /** Redis holds it elsewhere from this epoch on; false where a later move is known. */
    boolean move(String id, String from, String to, long epoch) {
        return database.withHandle(handle -> handle.createUpdate("UPDATE drivers_drivers SET region = :to,"
                                + " epoch = :epoch, came_from = :from, forgotten = false"
                                + " WHERE id = :id AND epoch < :epoch")
                        .bind("id", id)
                        .bind("from", from)
                        .bind("to", to)
                        .bind("epoch", epoch)
                        .execute())
                > 0;
    }

    /** By id, those of a region that Redis should know. */
    List<StoredDriver> page(String region, String after, int limit) {
        return database.withHandle(handle -> handle.createQuery(PostgresRows.SELECT
                        + " WHERE d.region = :region AND d.id > :after AND NOT d.forgotten ORDER BY d.id LIMIT :limit")
                .bind("region", region)
                .bind("after", after)
                .bind("limit", limit)
                .map(PostgresRows::driver)
                .list());
    }

    /** By id, those whose last move was from a region to another one. */
    List<String> gone(String from, String after, int limit) {
        return database.withHandle(handle -> handle.createQuery("SELECT id FROM drivers_drivers"
                        + " WHERE came_from = :from AND region <> :from AND id > :after ORDER BY id LIMIT :limit")
                .bind("from", from)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(String.class)
                .list());
    }

    /** By id, all that fit. */
    List<StoredDriver> list(@Nullable Status status, @Nullable String q, String after, int limit) {
        return database.withHandle(handle -> handle.createQuery(PostgresRows.SELECT
                        + " WHERE d.id > :after"
                        + (status == null ? "" : " AND d.status = :status")
                        + (q == null
                                ? ""
                                : " AND (position(lower(:q) IN lower(d.id)) > 0 OR position(lower(:q) IN lower(d.name)) > 0"
                                        + " OR position(lower(:q) IN lower(d.vehicle)) > 0)")
                        + " ORDER BY d.id LIMIT :limit")
                .bind("after", after)
                .bind("limit", limit)
                .bind("status", status == null ? "" : status.name())
                .bind("q", q == null ? "" : q)
                .map(PostgresRows::driver)
                .list());
    }

    /** By id, those that are AVAILABLE here, though not heard of for so long. */
    List<StoredDriver> silent(Duration silence, String after, int limit) {
        return database.withHandle(handle -> handle.createQuery(PostgresRows.SELECT
                        + " WHERE d.status = 'AVAILABLE' AND d.id > :after"
                        + " AND coalesce(d.last_active_at, d.since) < now() - :silence * interval '1 ms'"
                        + " ORDER BY d.id LIMIT :limit")
                .bind("silence", silence.toMillis())
                .bind("after", after)
                .bind("limit", limit)
                .map(PostgresRows::driver)
                .list());
    }

    /** By id, those that are free, OFFLINE by silence, and not heard of for so long; Redis has them still. */
    List<StoredDriver> forgettable(Duration silence, String after, int limit) {
        return database.withHandle(handle -> handle.createQuery(PostgresRows.SELECT
                        + " WHERE d.status = 'OFFLINE' AND NOT d.chosen AND NOT d.forgotten AND r.id IS NULL"
                        + " AND greatest(d.since, d.last_active_at) < now() - :silence * interval '1 ms'"
                        + " AND d.id > :after ORDER BY d.id LIMIT :limit")
                .bind("silence", silence.toMillis())
                .bind("after", after)
                .bind("limit", limit)
                .map(PostgresRows::driver)
                .list());
    }

    /**
     * Redis has let go of them, and of their order. Their versions grow, so that Redis is told their epochs and profiles
     * when they come back and it knows none; until then there is nothing that it has to be told.
     */
    void forgotten(List<String> ids) {
        database.useHandle(handle -> handle.createUpdate("UPDATE drivers_drivers SET forgotten = true, seq = NULL,"
                        + " version = version + 1, synced = version + 1"
                        + " WHERE id = ANY(:ids) AND status = 'OFFLINE' AND NOT chosen")
                .bindArray("ids", String.class, ids)
                .execute());
    }
}
