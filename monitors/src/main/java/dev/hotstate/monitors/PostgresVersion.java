package dev.hotstate.monitors;

import org.jdbi.v3.core.Handle;

/** The row of {@code monitors_versions} that a set of rows is written under. */
final class PostgresVersion {
    private static final String SELECT = "SELECT last, purged FROM monitors_versions WHERE of = :of";

    private PostgresVersion() {}

    /**
     * @param last the version of the last change
     * @param purged up to it, deleted rows may be gone
     */
    record Mark(long last, long purged) {
        /** Whether one who knows everything up to that version can go on from there; else all is to be read anew. */
        boolean continues(long known) {
            return known >= purged && known <= last;
        }
    }

    static Mark read(Handle handle, String of) {
        return mark(handle, SELECT, of);
    }

    /** Waits for whoever writes now, and keeps all others waiting until the transaction ends. */
    static Mark lock(Handle handle, String of) {
        return mark(handle, SELECT + " FOR UPDATE", of);
    }

    static void move(Handle handle, String of, long last) {
        handle.createUpdate("UPDATE monitors_versions SET last = :last WHERE of = :of")
                .bind("last", last)
                .bind("of", of)
                .execute();
    }

    static void purged(Handle handle, String of, long purged) {
        handle.createUpdate("UPDATE monitors_versions SET purged = greatest(purged, :purged) WHERE of = :of")
                .bind("purged", purged)
                .bind("of", of)
                .execute();
    }

    private static Mark mark(Handle handle, String sql, String of) {
        return handle.createQuery(sql)
                .bind("of", of)
                .map((row, context) -> new Mark(row.getLong("last"), row.getLong("purged")))
                .one();
    }
}
