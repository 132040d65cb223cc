package dev.hotstate.monitors.history;

import java.util.Collection;
import org.jdbi.v3.core.Handle;

/**
 * The locks by which instances agree; each ends with its transaction, so none outlives a crash. Nobody waits for a
 * roll-up, and it waits for nobody.
 */
final class PostgresLocks {
    private static final int SPACE = 0x6d6f6e68; // keeps these apart from others' advisory locks
    private static final int HOURS = 0x6d6f6e69;
    private static final int ROLL_UP = 1;
    private static final int PARTITIONS = 2;

    private PostgresLocks() {}

    /** Whoever rolls up or retires does so alone. */
    static boolean tryRollUp(Handle handle) {
        return tried(handle, SPACE, ROLL_UP);
    }

    static void awaitPartitions(Handle handle) {
        handle.execute("SELECT pg_advisory_xact_lock(?, ?)", SPACE, PARTITIONS);
    }

    /** Results that reach into these hours are being written: none of them is closed meanwhile. */
    static void shareHours(Handle handle, Collection<Integer> hours) {
        handle.createQuery(
                        "SELECT count(pg_advisory_xact_lock_shared(:space, hour)) FROM unnest(:hours::int[]) AS hour")
                .bind("space", HOURS)
                .bindArray("hours", Integer.class, hours)
                .mapTo(Long.class)
                .one();
    }

    /** Only when nobody writes results of that hour at this moment. */
    static boolean tryHour(Handle handle, int hour) {
        return tried(handle, HOURS, hour);
    }

    private static boolean tried(Handle handle, int space, int key) {
        return handle.createQuery("SELECT pg_try_advisory_xact_lock(:space, :key)")
                .bind("space", space)
                .bind("key", key)
                .mapTo(Boolean.class)
                .one();
    }
}
