package dev.hotstate.server.http;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which part of a list is wanted: {@code limit} (1 to 1000, else 50) and where to go on. */
public final class Page {
    static final int DEFAULT_LIMIT = 50;
    static final int MOST = 1000;
    private static final int LONGEST_CURSOR = 2048;
    private static final Pattern OFFSET = Pattern.compile("\\d{1,9}");

    private final int limit;
    private final @Nullable String cursor;

    Page(int limit, @Nullable String cursor) {
        this.limit = limit;
        this.cursor = cursor;
    }

    static Page of(Request request) {
        var cursor = request.query("cursor").orElse(null);
        if (cursor != null && (cursor.isEmpty() || cursor.length() > LONGEST_CURSOR)) {
            throw badCursor();
        }
        return new Page(request.queryInt("limit", DEFAULT_LIMIT, 1, MOST), cursor);
    }

    public int limit() {
        return limit;
    }

    /** The {@code next_cursor} of the page before; its meaning is the list's own, which checks it. */
    public Optional<String> cursor() {
        return Optional.ofNullable(cursor);
    }

    /** The cursor of a list that counts how many came before; 0 without one. */
    int offset() {
        if (cursor == null) {
            return 0;
        }
        if (!OFFSET.matcher(cursor).matches()) {
            throw badCursor();
        }
        return Integer.parseInt(cursor);
    }

    private static Problem badCursor() {
        return Problem.invalid("cursor", "must be the next_cursor of an earlier answer");
    }
}
