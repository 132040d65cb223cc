package dev.hotstate.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Writes many rows in few round trips. A table's columns are declared once, then rows are written by either verb:
 * {@link #upsert} for rows that may be there already, {@link #copy} for rows that are new.
 *
 * <pre>{@code
 * static final Batch<Driver> DRIVERS = Batch.<Driver>into("drivers")
 *         .key("id", "text", Driver::id)
 *         .version("seen_at", "timestamptz", Driver::seenAt)
 *         .column("tags", "text[]", Driver::tags);
 *
 * database.useHandle(handle -> DRIVERS.upsert(handle, drivers));
 * }</pre>
 *
 * Both send text, which PostgreSQL casts to the column's type. A value may be null, a string, number, boolean, enum, UUID,
 * {@code byte[]}, a java.time value, or a collection of these (for an array). Immutable.
 */
public final class Batch<R> {
    // One statement of a few megabytes: far fewer round trips than rows, and neither side holds a huge buffer.
    private static final int UPSERT_ROWS = 5_000;
    private static final int COPY_CHARS = 64 * 1024;

    private final String table;
    private final List<Column<R>> columns;
    private final Comparator<R> age;

    private Batch(String table, List<Column<R>> columns, Comparator<R> age) {
        this.table = table;
        this.columns = columns;
        this.age = age;
    }

    /** @param table its name, with the schema's name and a dot before it if need be */
    public static <R> Batch<R> into(String table) {
        return new Batch<>(BatchSql.checkedTable(table), List.of(), (older, newer) -> 0);
    }

    /** A column of the unique key that decides whether a row is there already. Never null. */
    public Batch<R> key(String name, String type, Function<? super R, ?> value) {
        return with(new Column<>(name, type, Column.Role.KEY, value), age);
    }

    public Batch<R> column(String name, String type, Function<? super R, ? extends @Nullable Object> value) {
        return with(new Column<>(name, type, Column.Role.VALUE, value), age);
    }

    /** The column that tells which of two rows is newer: an older row never replaces a newer one. Never null. */
    public <V extends Comparable<? super V>> Batch<R> version(
            String name, String type, Function<? super R, ? extends V> value) {
        return with(new Column<>(name, type, Column.Role.VERSION, value), Comparator.comparing(value::apply));
    }

    /**
     * Inserts the rows, and replaces those whose key is there already, all or none. Of rows with the same key the newest is
     * written: by {@link #version} if declared, else the last.
     *
     * @return how many rows were inserted or replaced
     */
    public int upsert(Handle handle, Collection<? extends R> rows) {
        String sql = BatchSql.upsert(table, columns);
        List<R> distinct = newestPerKey(rows);
        return handle.inTransaction(transaction -> {
            int written = 0;
            for (int from = 0; from < distinct.size(); from += UPSERT_ROWS) {
                List<R> chunk = distinct.subList(from, Math.min(from + UPSERT_ROWS, distinct.size()));
                written += upsert(transaction.getConnection(), sql, chunk);
            }
            return written;
        });
    }

    /**
     * Appends the rows, all or none, by COPY: the fastest way in, and an error if a key is there already.
     *
     * @param rows read once, so they may be made as they are written
     * @return how many rows were written
     */
    public long copy(Handle handle, Iterable<? extends R> rows) {
        try {
            var copy = handle.getConnection()
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(BatchSql.copy(table, columns));
            try (var out = new CopyWriter(copy, COPY_CHARS)) {
                for (R row : rows) {
                    out.line(columns.stream().map(column -> column.text(row)));
                }
                return out.finish();
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    // PostgreSQL refuses a statement that would write a row twice. In the order of their keys, because two servers that
    // write the same rows in different orders could each wait for the other.
    private List<R> newestPerKey(Collection<? extends R> rows) {
        List<Column<R>> keys = columns.stream().filter(Column::isKey).toList();
        TreeMap<String, R> newest = new TreeMap<>();
        for (R row : rows) {
            String key = CopyWriter.escaped(keys.stream().map(column -> column.text(row)));
            newest.merge(key, row, (older, newer) -> age.compare(older, newer) > 0 ? older : newer);
        }
        return new ArrayList<>(newest.values());
    }

    private int upsert(Connection connection, String sql, List<R> rows) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < columns.size(); i++) {
                Column<R> column = columns.get(i);
                Object[] texts = rows.stream().map(column::text).toArray(String[]::new);
                statement.setArray(i + 1, connection.createArrayOf("text", texts));
            }
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private Batch<R> with(Column<R> column, Comparator<R> age) {
        return new Batch<>(
                table, Stream.concat(columns.stream(), Stream.of(column)).toList(), age);
    }

    private StoreException failed(SQLException e) {
        return StatementFailure.explain("Writing to the table " + table, e);
    }
}
