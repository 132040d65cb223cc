package dev.hotstate.store;

import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One column of a {@link Batch}. Names and types are the programmer's, but are checked: they become SQL. */
record Column<R>(String name, String type, Role role, Function<? super R, ? extends @Nullable Object> value) {
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Pattern TYPE = Pattern.compile("[a-z_][a-z0-9_. ]*(\\(\\d+(, ?\\d+)?\\))?(\\[\\])?");

    enum Role {
        KEY,
        VERSION,
        VALUE
    }

    Column {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a column's name must be of a-z 0-9 _, not \"" + name + "\"");
        }
        if (!TYPE.matcher(type).matches()) {
            throw new IllegalArgumentException("column " + name + " must have a PostgreSQL type, not \"" + type + "\"");
        }
    }

    boolean isKey() {
        return role == Role.KEY;
    }

    @Nullable
    String text(R row) {
        Object raw = value.apply(row);
        if (raw == null && role != Role.VALUE) {
            throw new IllegalArgumentException("column " + name + " must not be null");
        }
        try {
            return PostgresText.of(raw);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("column " + name + ": " + e.getMessage(), e);
        }
    }
}
