package dev.hotstate.drivers;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Rows of drivers, each with the reservation that holds it. */
final class PostgresRows {
    static final String SELECT =
            "SELECT d.*, r.id AS held_id, r.fence AS held_fence, r.expires_at AS held_until FROM drivers_drivers d"
                    + " LEFT JOIN drivers_reservations r ON r.driver_id = d.id AND r.state = 'HELD'";

    private PostgresRows() {}

    static StoredDriver driver(ResultSet row, StatementContext context) throws SQLException {
        return new StoredDriver(
                row.getString("id"),
                row.getString("region"),
                row.getLong("epoch"),
                row.getString("came_from"),
                row.getLong("version"),
                Status.valueOf(row.getString("status")),
                row.getBoolean("chosen"),
                instant(row, "since"),
                new Profile(
                        row.getString("name"),
                        row.getString("vehicle"),
                        row.getObject("rating", Double.class),
                        texts(row.getArray("tags"))),
                last(row),
                instantOrNull(row, "last_active_at"),
                held(row),
                row.getBoolean("forgotten"));
    }

    static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(instantOrNull(row, column));
    }

    static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static StoredDriver.@Nullable LastFix last(ResultSet row) throws SQLException {
        Long cell = row.getObject("cell", Long.class);
        return cell == null
                ? null
                : new StoredDriver.LastFix(
                        cell,
                        row.getObject("heading", Double.class),
                        row.getObject("speed", Double.class),
                        row.getObject("seq", Long.class),
                        instant(row, "fixed_at"));
    }

    private static @Nullable Held held(ResultSet row) throws SQLException {
        String id = row.getString("held_id");
        return id == null ? null : new Held(id, row.getString("held_fence"), instant(row, "held_until"));
    }

    private static List<String> texts(Array array) throws SQLException {
        return List.of((String[]) array.getArray());
    }
}
