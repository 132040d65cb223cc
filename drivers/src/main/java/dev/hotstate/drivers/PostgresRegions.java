package dev.hotstate.drivers;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.drivers.Region.Point;
import dev.hotstate.store.Database;
import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** The regions beside the default one. Each change has a version, so that who follows them asks for one number. */
final class PostgresRegions {
    /** By then every instance knows that a region was deleted, and lets nobody in. */
    private static final String HEARD_OF = "interval '5 s'";

    private final Database database;

    PostgresRegions(Database database) {
        this.database = database;
    }

    record Stored(Region region, boolean deleted) {}

    record All(long version, List<Stored> regions) {}

    /** Empty where nothing has changed since. */
    Optional<All> changedSince(long version) {
        return database.inTransaction(handle -> {
            long now = handle.createQuery("SELECT regions FROM drivers_marks FOR SHARE")
                    .mapTo(Long.class)
                    .one();
            return now == version ? Optional.empty() : Optional.of(new All(now, read(handle)));
        });
    }

    /** @throws InvalidDocumentException where there would be too many */
    void put(Region region, int most) {
        database.useTransaction(handle -> {
            change(handle);
            handle.createUpdate("INSERT INTO drivers_regions (id, shape) VALUES (:id, :shape)"
                            + " ON CONFLICT (id) DO UPDATE SET shape = excluded.shape, deleted_at = NULL")
                    .bind("id", region.id())
                    .bind("shape", shape(region))
                    .execute();
            if (read(handle).size() > most) {
                throw new InvalidDocumentException(
                        List.of(new Flaw("id", "must be of one of at most " + most + " regions beside default")));
            }
        });
    }

    /** No driver is placed there any more. */
    boolean delete(String id) {
        return database.inTransaction(handle -> {
            change(handle);
            return handle.execute(
                            "UPDATE drivers_regions SET deleted_at = now() WHERE id = ? AND deleted_at IS NULL", id)
                    > 0;
        });
    }

    /** Whether one was deleted a while ago, and no driver is in it. */
    boolean isEmpty(String id) {
        return database.withHandle(handle -> handle.createQuery("SELECT EXISTS (SELECT FROM drivers_regions"
                        + " WHERE id = :id AND deleted_at < now() - " + HEARD_OF + ") AND NOT EXISTS"
                        + " (SELECT FROM drivers_drivers WHERE region = :id AND NOT forgotten)")
                .bind("id", id)
                .mapTo(Boolean.class)
                .one());
    }

    /** One that was deleted a while ago goes for good, unless a driver is in it or it was put again. */
    boolean drop(String id) {
        return database.inTransaction(handle -> {
            change(handle);
            // Whom Redis has forgotten is nowhere; its next fix is as a new one's.
            handle.execute(
                    "UPDATE drivers_drivers SET region = ?, epoch = epoch + 1, came_from = NULL"
                            + " WHERE region = ? AND forgotten",
                    Region.DEFAULT,
                    id);
            return handle.execute(
                            "DELETE FROM drivers_regions WHERE id = ? AND deleted_at < now() - " + HEARD_OF
                                    + " AND NOT EXISTS" + " (SELECT FROM drivers_drivers WHERE region = ?)",
                            id,
                            id)
                    > 0;
        });
    }

    private static void change(Handle handle) {
        handle.execute("UPDATE drivers_marks SET regions = regions + 1");
    }

    private static List<Stored> read(Handle handle) {
        return handle.createQuery(
                        "SELECT id, shape, deleted_at IS NOT NULL AS deleted FROM drivers_regions ORDER BY id")
                .map((row, context) -> new Stored(
                        new Region(row.getString("id"), points(row.getArray("shape"))), row.getBoolean("deleted")))
                .list();
    }

    private static Double[] shape(Region region) {
        return region.shape().stream()
                .flatMap(point -> Stream.of(point.lat(), point.lon()))
                .toArray(Double[]::new);
    }

    private static List<Point> points(Array array) throws SQLException {
        Double[] numbers = (Double[]) array.getArray();
        List<Point> points = new ArrayList<>();
        for (int i = 0; i + 1 < numbers.length; i += 2) {
            points.add(new Point(numbers[i], numbers[i + 1]));
        }
        return points;
    }
}
