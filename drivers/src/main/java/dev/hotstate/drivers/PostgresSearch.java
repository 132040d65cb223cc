package dev.hotstate.drivers;

import dev.hotstate.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * The same search as Redis's, on what has come to PostgreSQL: for when Redis does not answer. Who was heard of within a
 * heartbeat before the newest sign of life lives; so the answer is as of then, and not empty once Redis is gone for long.
 */
final class PostgresSearch {
    private static final String NEAREST = """
            SELECT d.id, d.cell, d.last_active_at, d.since, d.rating
            FROM unnest(:from::integer[], :to::integer[]) AS near (first, last)
            JOIN drivers_drivers d ON d.area BETWEEN near.first AND near.last AND d.status = 'AVAILABLE'
            CROSS JOIN LATERAL (SELECT floor(2 * :earth * asin(least(1, sqrt(
                sin((radians(d.current_lat) - radians(:lat)) / 2) ^ 2 + cos(radians(:lat)) * cos(radians(d.current_lat))
                * sin((radians(d.current_lon) - radians(:lon)) / 2) ^ 2))) * 1000 + 0.5) AS mm) AS away
            WHERE d.last_active_at > :alive AND (:tag::text IS NULL OR :tag = ANY(d.tags)) AND away.mm <= :radius
                AND NOT EXISTS (SELECT FROM drivers_reservations r WHERE r.driver_id = d.id AND r.state = 'HELD')
            ORDER BY away.mm, d.id LIMIT :limit""";

    private final Database database;
    private final Duration heartbeat;

    PostgresSearch(Database database, Duration heartbeat) {
        this.database = database;
        this.heartbeat = heartbeat;
    }

    /** @param asOf when what was found was so; null where PostgreSQL has never heard of anybody */
    record Nearest(List<Candidate> candidates, Optional<Instant> asOf) {}

    Nearest nearest(Search search, int limit) {
        return database.inTransaction(handle -> asOf(handle)
                .map(asOf -> new Nearest(nearest(handle, search, limit, asOf), Optional.of(asOf)))
                .orElse(new Nearest(List.of(), Optional.empty())));
    }

    private static Optional<Instant> asOf(Handle handle) {
        return handle.createQuery("SELECT as_of FROM drivers_marks")
                .map((row, context) -> Optional.ofNullable(PostgresRows.instantOrNull(row, "as_of")))
                .one();
    }

    private List<Candidate> nearest(Handle handle, Search search, int limit, Instant asOf) {
        List<Areas.Range> near = Areas.around(search.lat(), search.lon(), search.radius());
        return handle
                .createQuery(NEAREST)
                .bindArray(
                        "from",
                        Integer.class,
                        near.stream().map(Areas.Range::from).toList())
                .bindArray(
                        "to", Integer.class, near.stream().map(Areas.Range::to).toList())
                .bind("earth", Cell.EARTH_RADIUS)
                .bind("lat", search.lat())
                .bind("lon", search.lon())
                .bind("radius", Nearby.of(search).radiusMm())
                .bind("alive", PostgresRows.time(asOf.minus(heartbeat)))
                .bind("tag", search.tag())
                .bind("limit", limit)
                .map((row, context) -> candidate(
                        search,
                        asOf,
                        new Row(
                                row.getString("id"),
                                row.getLong("cell"),
                                PostgresRows.instant(row, "last_active_at"),
                                PostgresRows.instant(row, "since"),
                                Optional.ofNullable(row.getObject("rating", Double.class)))))
                .stream()
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingDouble(Candidate::distance).thenComparing(Candidate::id))
                .toList();
    }

    private record Row(String id, long cell, Instant seenAt, Instant since, Optional<Double> rating) {}

    private static Candidate candidate(Search search, Instant asOf, Row row) {
        double lat = Cell.lat(row.cell());
        double lon = Cell.lon(row.cell());
        Duration idle = Duration.between(row.since(), asOf);
        return new Candidate(
                row.id(),
                Cell.distance(search.lat(), search.lon(), lat, lon),
                lat,
                lon,
                row.seenAt(),
                idle.isNegative() ? Duration.ZERO : idle,
                row.rating().orElse(null));
    }
}
