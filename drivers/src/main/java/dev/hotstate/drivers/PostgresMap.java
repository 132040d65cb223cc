package dev.hotstate.drivers;

import dev.hotstate.store.Database;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** What stands on a map, and how many drivers are what. */
final class PostgresMap {
    private static final String COUNTS = "count(*) FILTER (WHERE d.status = 'AVAILABLE') AS available,"
            + " count(*) FILTER (WHERE d.status = 'BUSY') AS busy,"
            + " count(*) FILTER (WHERE d.status = 'OFFLINE') AS offline, count(r.id) AS reserved";

    private static final String HELD = " LEFT JOIN drivers_reservations r ON r.driver_id = d.id AND r.state = 'HELD'";

    private static final String IN_BOX = " FROM unnest(:from::integer[], :to::integer[]) AS near (first, last)"
            + " JOIN drivers_drivers d ON d.area BETWEEN near.first AND near.last" + HELD
            + " WHERE NOT d.forgotten AND d.current_lat BETWEEN :south AND :north"
            + " AND CASE WHEN :west <= :east THEN d.current_lon BETWEEN :west AND :east"
            + " ELSE d.current_lon >= :west OR d.current_lon <= :east END";

    private final Database database;

    PostgresMap(Database database) {
        this.database = database;
    }

    /** Each driver, or where they are too many those of a cell of so many degrees together. */
    List<MapMark> marks(Box box, double degrees, int most) {
        return database.withHandle(handle -> {
            List<MapMark> each = each(handle, box, most + 1);
            return each.size() <= most ? each : together(handle, box, degrees);
        });
    }

    /** By region, from what has come here. */
    List<Summary.OfRegion> counts() {
        return database.withHandle(handle -> handle.createQuery("SELECT d.region, " + COUNTS + " FROM drivers_drivers d"
                        + HELD + " WHERE NOT d.forgotten GROUP BY d.region ORDER BY d.region")
                .map((row, context) -> new Summary.OfRegion(
                        row.getString("region"),
                        new Summary.Counts(
                                row.getLong("available"),
                                row.getLong("busy"),
                                row.getLong("offline"),
                                row.getLong("reserved")),
                        0))
                .list());
    }

    private static List<MapMark> each(Handle handle, Box box, int limit) {
        return inBox(
                        handle.createQuery(
                                "SELECT d.id, d.current_lat, d.current_lon, d.heading, d.status, r.id AS held" + IN_BOX
                                        + " ORDER BY d.id LIMIT :limit"),
                        box)
                .bind("limit", limit)
                .map((row, context) -> new MapMark(
                        row.getDouble("current_lat"),
                        row.getDouble("current_lon"),
                        one(Status.valueOf(row.getString("status")), row.getString("held") != null),
                        row.getString("id"),
                        row.getObject("heading", Double.class)))
                .list();
    }

    /** Longitudes count from the west side, so that a cell on the antimeridian is one. */
    private static List<MapMark> together(Handle handle, Box box, double degrees) {
        return inBox(
                        handle.createQuery("SELECT avg(y) AS lat, avg(x) AS lon, sum(available) AS available,"
                                + " sum(busy) AS busy, sum(offline) AS offline, sum(reserved) AS reserved FROM (SELECT"
                                + " d.current_lat AS y,"
                                + " d.current_lon + CASE WHEN d.current_lon < :west THEN 360 ELSE 0 END AS x,"
                                + " (d.status = 'AVAILABLE')::int AS available, (d.status = 'BUSY')::int AS busy,"
                                + " (d.status = 'OFFLINE')::int AS offline, (r.id IS NOT NULL)::int AS reserved"
                                + IN_BOX
                                + ") AS d GROUP BY floor((y - :south) / :degrees), floor((x - :west) / :degrees)"),
                        box)
                .bind("degrees", degrees)
                .map((row, context) -> new MapMark(
                        row.getDouble("lat"),
                        row.getDouble("lon") > 180 ? row.getDouble("lon") - 360 : row.getDouble("lon"),
                        new Summary.Counts(
                                row.getLong("available"),
                                row.getLong("busy"),
                                row.getLong("offline"),
                                row.getLong("reserved")),
                        null,
                        null))
                .list();
    }

    private static Query inBox(Query query, Box box) {
        List<Areas.Range> areas = Areas.within(box);
        return query.bindArray(
                        "from",
                        Integer.class,
                        areas.stream().map(Areas.Range::from).toList())
                .bindArray(
                        "to", Integer.class, areas.stream().map(Areas.Range::to).toList())
                .bind("south", box.south())
                .bind("north", box.north())
                .bind("west", box.west())
                .bind("east", box.east());
    }

    private static Summary.Counts one(Status status, boolean reserved) {
        return new Summary.Counts(
                status == Status.AVAILABLE ? 1 : 0,
                status == Status.BUSY ? 1 : 0,
                status == Status.OFFLINE ? 1 : 0,
                reserved ? 1 : 0);
    }
}
