package dev.hotstate.store;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The statements of a {@link Batch}. Every name is quoted, so that a column may be called {@code order} or {@code end}. */
final class BatchSql {
    private static final Pattern TABLE = Pattern.compile("([a-z_][a-z0-9_]*\\.)?[a-z_][a-z0-9_]*");

    private BatchSql() {}

    static String checkedTable(String table) {
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("a table's name must be of a-z 0-9 _, not \"" + table + "\"");
        }
        return table;
    }

    /** One array of texts a column; each text is cast to its column's type after the arrays have become rows. */
    static <R> String upsert(String table, List<Column<R>> columns) {
        List<Column<R>> keys = columns.stream().filter(Column::isKey).toList();
        if (keys.isEmpty()) {
            throw new IllegalStateException("the batch into " + table + " declares no key, so it cannot upsert");
        }
        return "INSERT INTO " + quoted(table) + " AS present (" + names(columns) + ")"
                + " SELECT " + list(columns, column -> quoted(column.name()) + "::" + column.type())
                + " FROM unnest(" + list(columns, column -> "?::text[]") + ") AS fresh (" + names(columns) + ")"
                + " ON CONFLICT (" + names(keys) + ") DO " + onConflict(columns);
    }

    static <R> String copy(String table, List<Column<R>> columns) {
        return "COPY " + quoted(table) + " (" + names(columns) + ") FROM STDIN";
    }

    private static <R> String onConflict(List<Column<R>> columns) {
        List<Column<R>> others =
                columns.stream().filter(column -> !column.isKey()).toList();
        String guard = columns.stream()
                .filter(column -> column.role() == Column.Role.VERSION)
                .map(column -> quoted(column.name()))
                .map(name -> "(present." + name + " <= excluded." + name + " OR present." + name + " IS NULL)")
                .collect(Collectors.joining(" AND "));
        return others.isEmpty()
                ? "NOTHING"
                : "UPDATE SET " + list(others, BatchSql::assignment) + (guard.isEmpty() ? "" : " WHERE " + guard);
    }

    private static String assignment(Column<?> column) {
        return quoted(column.name()) + " = excluded." + quoted(column.name());
    }

    private static <R> String names(List<Column<R>> columns) {
        return list(columns, column -> quoted(column.name()));
    }

    private static <R> String list(List<Column<R>> columns, Function<Column<R>, String> part) {
        return columns.stream().map(part).collect(Collectors.joining(", "));
    }

    private static String quoted(String name) {
        return "\"" + name.replace(".", "\".\"") + "\"";
    }
}
