package dev.hotstate.drivers;

import dev.hotstate.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Who holds a driver. Drivers' rows are locked first and in the order of their ids, whatever is done, so nobody waits in a
 * circle. Time is PostgreSQL's.
 */
final class PostgresReservations {
    private static final String END =
            "UPDATE drivers_reservations SET state = :state, ended_at = clock_timestamp() WHERE ";

    private final Database database;

    PostgresReservations(Database database) {
        this.database = database;
    }

    /** A driver that Redis has taken for somebody. */
    record Hold(String reservation, String driver, String region, String fence, double distance) {}

    /**
     * @param held those that are held now, each driver with its reservation
     * @param refused those that must not be, as they are
     */
    record Outcome(List<StoredDriver> held, List<StoredDriver> refused) {}

    /** Holds those that are free in PostgreSQL too, and in the region where Redis took them. */
    Outcome hold(List<Hold> wanted, String holder, Duration lease) {
        List<String> ids = wanted.stream().map(Hold::driver).sorted().toList();
        return database.inTransaction(handle -> {
            List<StoredDriver> now = locked(handle, wanted, ids);
            if (now.stream().anyMatch(driver -> driver.held() != null)) {
                PostgresTruth.decided(handle, lapse(handle, ids));
                now = PostgresTruth.read(handle, ids);
            }
            Map<String, StoredDriver> refused = new LinkedHashMap<>();
            now.forEach(driver -> refused.put(driver.id(), driver));
            List<Hold> mine = new ArrayList<>();
            for (Hold hold : wanted) {
                StoredDriver driver = refused.get(hold.driver());
                if (driver != null && isFree(driver, hold)) {
                    mine.add(hold);
                    refused.remove(driver.id());
                }
            }
            return new Outcome(insert(handle, mine, holder, lease), List.copyOf(refused.values()));
        });
    }

    /** As they are once nobody else can change them; what was read with the lock may be of before. */
    private static List<StoredDriver> locked(Handle handle, List<Hold> wanted, List<String> ids) {
        if (PostgresTruth.lock(handle, ids).size() < ids.size()) {
            enter(handle, wanted);
            PostgresTruth.lock(handle, ids);
        }
        return PostgresTruth.read(handle, ids);
    }

    private static boolean isFree(StoredDriver driver, Hold hold) {
        return driver.region().equals(hold.region())
                && driver.status() != Status.BUSY
                && !driver.chosen()
                && driver.held() == null;
    }

    /** One that is new may have no row yet. */
    private static void enter(Handle handle, List<Hold> wanted) {
        List<Hold> ordered =
                wanted.stream().sorted(Comparator.comparing(Hold::driver)).toList();
        handle.createUpdate("INSERT INTO drivers_drivers (id, region, status, since)"
                        + " SELECT id, region, 'AVAILABLE', clock_timestamp()"
                        + " FROM unnest(:ids::text[], :regions::text[]) AS fresh (id, region)"
                        + " ON CONFLICT (id) DO NOTHING")
                .bindArray(
                        "ids", String.class, ordered.stream().map(Hold::driver).toList())
                .bindArray(
                        "regions",
                        String.class,
                        ordered.stream().map(Hold::region).toList())
                .execute();
    }

    private static List<String> lapse(Handle handle, List<String> drivers) {
        return new ArrayList<>(
                handle.createQuery(END + "driver_id = ANY(:ids) AND state = 'HELD' AND expires_at <= clock_timestamp()"
                                + " RETURNING driver_id")
                        .bind("state", "LAPSED")
                        .bindArray("ids", String.class, drivers)
                        .mapTo(String.class)
                        .list());
    }

    private static List<StoredDriver> insert(Handle handle, List<Hold> holds, String holder, Duration lease) {
        if (holds.isEmpty()) {
            return List.of();
        }
        handle.createUpdate("INSERT INTO drivers_reservations"
                        + " (id, driver_id, region, fence, holder, state, distance, expires_at)"
                        + " SELECT id, driver, region, fence, :holder, 'HELD', distance::double precision,"
                        + " date_trunc('milliseconds', clock_timestamp()) + :lease * interval '1 ms'"
                        + " FROM unnest(:ids::text[], :drivers::text[], :regions::text[], :fences::text[],"
                        + " :distances::text[]) AS held (id, driver, region, fence, distance)")
                .bindArray("ids", String.class, texts(holds, Hold::reservation))
                .bindArray("drivers", String.class, texts(holds, Hold::driver))
                .bindArray("regions", String.class, texts(holds, Hold::region))
                .bindArray("fences", String.class, texts(holds, Hold::fence))
                .bindArray("distances", String.class, texts(holds, Hold::distance))
                .bind("holder", holder)
                .bind("lease", lease.toMillis())
                .execute();
        List<String> drivers = texts(holds, Hold::driver);
        PostgresTruth.decided(handle, drivers);
        return PostgresTruth.read(handle, drivers);
    }

    private static List<String> texts(List<Hold> holds, Function<Hold, Object> part) {
        return holds.stream().map(part).map(Object::toString).toList();
    }

    /**
     * Makes the driver BUSY, once.
     *
     * @throws UnknownDriverException where there is no such reservation
     * @throws StaleReservationException where it cannot be confirmed any more, or this is not its fence
     */
    StoredDriver confirm(String id, String fence) {
        return end(id, fence, (handle, reservation) -> {
            if (reservation.state().equals("CONFIRMED")) {
                return;
            }
            require(id, reservation, reservation.state().equals("HELD") && !reservation.expired());
            setState(handle, id, "CONFIRMED");
            PostgresTruth.setStatus(handle, reservation.driver(), Status.BUSY);
        });
    }

    /**
     * Lets the driver go, once.
     *
     * @throws UnknownDriverException where there is no such reservation
     * @throws StaleReservationException where it was confirmed, or this is not its fence
     */
    StoredDriver cancel(String id, String fence) {
        return end(id, fence, (handle, reservation) -> {
            if (reservation.state().equals("HELD")) {
                setState(handle, id, "CANCELLED");
                PostgresTruth.decided(handle, List.of(reservation.driver()));
            } else {
                require(id, reservation, reservation.state().equals("CANCELLED"));
            }
        });
    }

    /** Those whose time is over, at most so many; other instances see to others. */
    List<StoredDriver> lapse(int limit) {
        return database.inTransaction(handle -> {
            List<String> ids = handle.createQuery("SELECT d.id FROM drivers_drivers d JOIN drivers_reservations r"
                            + " ON r.driver_id = d.id AND r.state = 'HELD' AND r.expires_at <= clock_timestamp()"
                            + " ORDER BY d.id LIMIT :limit FOR UPDATE OF d SKIP LOCKED")
                    .bind("limit", limit)
                    .mapTo(String.class)
                    .list();
            List<String> lapsed = ids.isEmpty() ? ids : lapse(handle, ids);
            PostgresTruth.decided(handle, lapsed);
            return PostgresTruth.read(handle, lapsed);
        });
    }

    /** Of these reservations, those that have a row. */
    List<String> known(Collection<String> ids) {
        return database.withHandle(
                handle -> handle.createQuery("SELECT id FROM drivers_reservations WHERE id = ANY(:ids)")
                        .bindArray("ids", String.class, ids)
                        .mapTo(String.class)
                        .list());
    }

    /** Lets go of those that ended before. */
    int forget(Instant before) {
        return database.withHandle(handle -> handle.createUpdate(
                        "DELETE FROM drivers_reservations WHERE state <> 'HELD' AND ended_at < :before")
                .bind("before", PostgresRows.time(before))
                .execute());
    }

    private interface Step {
        void run(Handle handle, Found reservation);
    }

    private record Found(String driver, String fence, String state, boolean expired) {}

    private StoredDriver end(String id, String fence, Step step) {
        return database.inTransaction(handle -> {
            // The driver of a reservation never changes, so its row can be locked first.
            Found seen = find(handle, id)
                    .orElseThrow(() -> new UnknownDriverException("there is no reservation \"" + id + "\""));
            PostgresTruth.lock(handle, List.of(seen.driver()));
            Found reservation = find(handle, id).orElseThrow();
            require(id, reservation, reservation.fence().equals(fence));
            step.run(handle, reservation);
            return PostgresTruth.read(handle, reservation.driver());
        });
    }

    private static Optional<Found> find(Handle handle, String id) {
        return handle.createQuery("SELECT driver_id, fence, state, expires_at <= clock_timestamp() AS expired"
                        + " FROM drivers_reservations WHERE id = :id")
                .bind("id", id)
                .map((row, context) -> new Found(
                        row.getString("driver_id"),
                        row.getString("fence"),
                        row.getString("state"),
                        row.getBoolean("expired")))
                .findOne();
    }

    private static void require(String id, Found reservation, boolean holds) {
        if (!holds) {
            String state = reservation.state().equals("HELD") && reservation.expired() ? "LAPSED" : reservation.state();
            throw new StaleReservationException("the reservation \"" + id + "\" is " + state
                    + ", or the fence is not its own; nothing was changed");
        }
    }

    private static void setState(Handle handle, String id, String state) {
        handle.createUpdate(END + "id = :id")
                .bind("state", state)
                .bind("id", id)
                .execute();
    }
}
